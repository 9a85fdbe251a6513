import { agentUnlinked } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { agentUnlinkOperation } from '../../api/agents/agents.js';
import { ask } from '../ask.js';
import { question } from '../components/question.js';
import { said } from '../components/said.js';
import { listPlace } from '../from-list.js';
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
  const { keys = 0 } = agent;
  const name = said(titleOf(agent));
  const path = `${agentsPath}/${agent.id}`;
  return question({
    title: 'Unlink this agent?',
    heading: html`Unlink ${name}?`,
    lead: html`${keys === 0 ? 'It has no key. Its' : html`Its ${keys} key${keys === 1 ? '' : 's'}, its`} token and its webhooks end with the next request, and the addresses of the webhooks are destroyed. What it has written stays, with its receipts. Another receipt says that you have unlinked it.`,
    list: { name: 'Agents', path: agentsPath, place: listPlace(agentsPath, request) },
    thing: { name, path },
    refusal,
    action: `${path}/unlink`,
    token: request.token,
    button: html`<button class="danger">Unlink the agent</button>`,
  });
}
