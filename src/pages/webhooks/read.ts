import { agentList } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { webhookList } from '../../../contracts/webhooks.js';
import { agentListOperation } from '../../api/agents/agents.js';
import { webhookListOperation } from '../../api/webhooks/webhooks.js';
import { type Agent, agentNamed, asAgent, titleOf } from '../agents/agent.js';
import { ask } from '../ask.js';
import { notice } from '../components/messages.js';
import { namespacesOf } from '../namespaces/all.js';
import type { PageParts, PersonRequest } from '../page.js';
import type { Webhook } from './rows.js';

/** A webhook with its agent, and the request in the name of that agent, as the API asks for it. */
interface OfAgent {
  readonly agent: Agent;
  readonly webhook: Webhook;
  readonly named: PersonRequest;
}

/** The webhook of an address such as /webhooks/agn_…/{webhook_id}. @throws Refusal agent_not_found, webhook_not_found */
export async function webhookAt(request: PersonRequest, parts: PageParts): Promise<OfAgent> {
  const { agn_id = '', webhook_id = '' } = request.params;
  const agent = await agentNamed(agn_id, request, parts);
  const named = asAgent(request, agent.agent_id);
  const { data } = await ask(webhookList, webhookListOperation, named, {}, parts);
  const webhook = data.find(({ id }) => id === webhook_id);
  if (!webhook)
    throw new Refusal('webhook_not_found', 'This agent has no webhook with that id. It may have been deleted.');
  return { agent, webhook, named };
}

/** The names of the namespaces of the workspace, and of the agents that were linked last, by their ids. */
export async function namesFor(request: PersonRequest, parts: PageParts): Promise<ReadonlyMap<string, string>> {
  const { data } = await ask(agentList, agentListOperation, request, { query: { limit: '100' } }, parts);
  const namespaces = await namespacesOf(request, parts);
  return new Map([
    ...data.map((one) => [one.agent_id, titleOf(one)] as const),
    ...namespaces.map(({ id, name }) => [id, name] as const),
  ]);
}

/** Whether the person may make, delete and send again: the API refuses that to readers, so they have no form for it. */
export const mayWrite = ({ visitor }: PersonRequest): boolean => visitor.session.person.role !== 'reader';

/** The line that says why a reader has no such form. */
export const readsOnly = notice(
  'Your role reads and does not write. An owner or an admin of the workspace can change it.',
);
