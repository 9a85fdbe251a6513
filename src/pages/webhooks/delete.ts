import { Refusal } from '../../../contracts/errors.js';
import { webhookDeleted } from '../../../contracts/webhooks.js';
import { webhookDeleteOperation } from '../../api/webhooks/webhooks.js';
import { titleOf as agentTitle } from '../agents/agent.js';
import { ask } from '../ask.js';
import { hidden } from '../components/fields.js';
import { problem, sentenceOf } from '../components/messages.js';
import { said } from '../components/said.js';
import { listPlace, placeField, withPlace } from '../from-list.js';
import { html } from '../html.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { mayWrite, readsOnly, webhookAt } from './read.js';
import { titleOf, webhooksPath } from './rows.js';

/** The page that asks before a webhook is deleted. */
export const deleteWebhookPage: PersonPage = {
  path: `${webhooksPath}/:agn_id/:webhook_id/delete`,
  access: 'a person',
  ofMemoryApi: true,
  writesNothing: true,
  show: (request, parts) => asking(request, parts, null),
  async submit(request, parts) {
    try {
      const { named, webhook } = await webhookAt(request, parts);
      await ask(webhookDeleted, webhookDeleteOperation, named, { params: { webhook_id: webhook.id } }, parts);
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && error.status !== 404) return asking(request, parts, error);
      throw error;
    }
    const { address } = listPlace(webhooksPath, request) ?? { address: webhooksPath };
    return { location: `${address}${address.includes('?') ? '&' : '?'}deleted` };
  },
};

async function asking(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const { agent, webhook } = await webhookAt(request, parts);
  const place = listPlace(webhooksPath, request);
  const path = `${webhooksPath}/${agent.agent_id}/${webhook.id}`;
  const own = withPlace(path, place);
  return {
    status: refusal?.status ?? 200,
    title: 'Delete this webhook?',
    main: html`<p class="crumbs"><a href="${place?.address ?? webhooksPath}">Webhooks</a> › <a href="${own}">${said(titleOf(webhook))}</a></p>
<h1>Delete ${said(titleOf(webhook))}?</h1>
${problem(refusal && sentenceOf(refusal))}
<p class="lead">Nothing more is sent to ${said(webhook.host)} for the agent ${said(agentTitle(agent))}. The address, the secret and the filter are destroyed, and deliveries that wait are dropped. Another receipt says that you have deleted it. This cannot be undone.</p>
${mayWrite(request) ? html`<form method="post" action="${path}/delete">${hidden('token', request.token)}${placeField(place)}<p class="actions"><button class="danger">Delete the webhook</button><a class="button quiet" href="${own}">Cancel</a></p></form>` : readsOnly}`,
  };
}
