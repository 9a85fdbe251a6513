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

/** The beginning of what each of the calls of `everyTool` answers. */
export const everyAnswer: readonly RegExp[] = [
  /Stored: [0-9a-f]{12}, receipt [0-9a-f]{12}\./,
  /Zoe collects shells\./,
  /Forgotten: [0-9a-f]{12}/,
  /Ada moved to Lisbon in March\./,
  /This agent has no subscriptions/,
  /Recorded 3:.*(?:memory|was stored before as) [0-9a-f]{12}, receipt [0-9a-f]{12}.*decision, receipt.*handoff, receipt/s,
  /Subscription .* to example\.org, active/,
  /is deleted/,
];
