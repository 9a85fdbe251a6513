import { signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';

/** A service with an agent, a key of that agent, and memories: what a client is connected to. */
export interface Desk {
  readonly service: Service;
  readonly url: string;
  readonly key: string;
  readonly memoryIds: readonly string[];
  stop(): Promise<void>;
}

export const memories = [
  'Ada moved to Lisbon in March.',
  'Bob prefers tea.',
  'The billing service is deployed on Fridays.',
];

export async function startDesk(env: Readonly<Record<string, string>> = {}): Promise<Desk> {
  const owner = { email: 'owner@example.org', password: 'a password of the owner' };
  const service = await startService({ OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password, ...env });
  const person = await signedIn(service, owner);
  const { json: agent } = await person.call('POST', '/v1/agents', { agent_id: `agn_${'k'.repeat(32)}` });
  const { json: key } = await person.call('POST', `/v1/agents/${agent.id}/keys`, { name: 'desk' });
  const memoryIds: string[] = [];
  for (const content of memories) {
    memoryIds.push((await service.call('POST', '/v1/memories', { content })).json.memory_id);
  }
  await service.settled();
  return {
    service,
    url: `${service.app.server.listeningOrigin}/mcp`,
    key: key.key,
    memoryIds,
    stop: () => service.stop(),
  };
}

/** A call of each tool, in an order in which all can succeed. `$ID` is the first id in the answer to the call before. */
export const everyTool: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[] = [
  { name: 'list_subscriptions', arguments: {} },
  {
    name: 'record_action_batch',
    arguments: {
      actions: [
        { kind: 'memory', content: 'Eve collects stamps.', metadata: { topic: 'hobby' } },
        { kind: 'decision', summary: 'Buy the printer', options: ['buy', 'rent'], chosen: 'buy' },
        { kind: 'handoff', summary: 'Order paper', to_agent: `agn_${'o'.repeat(32)}` },
      ],
    },
  },
  { name: 'recall', arguments: { query: 'Where does Ada live?', k: 3 } },
  { name: 'get_context', arguments: { query: 'Where does Ada live?', max_tokens: 500 } },
  { name: 'subscribe', arguments: { webhook_url: 'https://example.org/hook', pattern: { contains: ['Ada'] } } },
  { name: 'unsubscribe', arguments: { subscription_id: '$ID' } },
];

/** The beginning of what each of these calls answers. */
export const everyAnswer: readonly RegExp[] = [
  /This agent has no subscriptions/,
  /rcp_\w{32}.*rcp_\w{32}.*rcp_\w{32}/s,
  /Ada moved to Lisbon in March\./,
  /Ada moved to Lisbon in March\./,
  /Subscription .* to example\.org, active/,
  /is deleted/,
];
