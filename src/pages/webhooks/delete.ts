import { Refusal } from '../../../contracts/errors.js';
import { webhookDeleted } from '../../../contracts/webhooks.js';
import { webhookDeleteOperation } from '../../api/webhooks/webhooks.js';
import { titleOf as agentTitle } from '../agents/agent.js';
import { ask } from '../ask.js';
import { question } from '../components/question.js';
import { said } from '../components/said.js';
import { listPlace } from '../from-list.js';
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
  const name = said(titleOf(webhook));
  const path = `${webhooksPath}/${agent.agent_id}/${webhook.id}`;
  return question({
    title: 'Delete this webhook?',
    heading: html`Delete ${name}?`,
    lead: html`Nothing more is sent to ${said(webhook.host)} for the agent ${said(agentTitle(agent))}. The address, the secret and the filter are destroyed, and deliveries that wait are dropped. Another receipt says that you have deleted it. This cannot be undone.`,
    list: { name: 'Webhooks', path: webhooksPath, place: listPlace(webhooksPath, request) },
    thing: { name, path },
    refusal,
    action: `${path}/delete`,
    token: request.token,
    button: html`<button class="danger">Delete the webhook</button>`,
    instead: mayWrite(request) ? undefined : readsOnly,
  });
}
