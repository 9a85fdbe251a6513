import { agentUnlinked } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { agentUnlinkOperation } from '../../api/agents/agents.js';
import { ask } from '../ask.js';
import { hidden } from '../components/fields.js';
import { problem, sentenceOf } from '../components/messages.js';
import { said } from '../components/said.js';
import { listPlace, placeField, withPlace } from '../from-list.js';
import { html } from '../html.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { agentNamed, agentsPath, requireAdmin, titleOf } from './agent.js';

/** The page that asks before an agent is unlinked. */
export const unlinkPage: PersonPage = {
  path: `${agentsPath}/:link_id/unlink`,
  access: 'a person',
  writesNothing: true,
  show: (request, parts) => asking(request, parts, null),
  async submit(request, parts) {
    try {
      const { link_id = '' } = request.params;
      await ask(agentUnlinked, agentUnlinkOperation, request, { params: { link_id } }, parts);
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && error.status !== 404) return asking(request, parts, error);
      throw error;
    }
    const { address } = listPlace(agentsPath, request) ?? { address: agentsPath };
    return { location: `${address}${address.includes('?') ? '&' : '?'}unlinked` };
  },
};

async function asking(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  requireAdmin(request);
  const agent = await agentNamed(request.params.link_id ?? '', request, parts);
  const place = listPlace(agentsPath, request);
  const own = withPlace(`${agentsPath}/${agent.id}`, place);
  const { keys = 0 } = agent;
  return {
    status: refusal?.status ?? 200,
    title: 'Unlink this agent?',
    main: html`<p class="crumbs"><a href="${place?.address ?? agentsPath}">Agents</a> › <a href="${own}">${said(titleOf(agent))}</a></p>
<h1>Unlink ${said(titleOf(agent))}?</h1>
${problem(refusal && sentenceOf(refusal))}
<p class="lead">${keys === 0 ? 'It has no key. Its' : html`Its ${keys} key${keys === 1 ? '' : 's'}, its`} token and its webhooks end with the next request, and the addresses of the webhooks are destroyed. What it has written stays, with its receipts. Another receipt says that you have unlinked it.</p>
<form method="post" action="${agentsPath}/${agent.id}/unlink">${hidden('token', request.token)}${placeField(place)}<p class="actions"><button class="danger">Unlink the agent</button><a class="button quiet" href="${own}">Cancel</a></p></form>`,
  };
}
