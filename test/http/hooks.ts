import { afterAll, beforeAll } from 'vitest';
import { eventually } from '../support/until.js';
import { owner, usePeople } from './people.js';
import { openReceiver, type Receiver } from './receiver.js';
import { eagerWorld } from './service.js';

/** A service with people, agents that have webhooks, and a server that takes what these are sent. */
export function useHooks() {
  const people = usePeople({ ALLOW_PRIVATE_URLS: '1' }, eagerWorld);
  let receiver: Receiver;
  let agents = 0;
  beforeAll(async () => {
    receiver = await openReceiver();
  });
  afterAll(() => receiver.close());

  /** The clock may have been moved beyond the end of the owner's session. */
  const signIn = () => people.as('owner').call('POST', '/v1/session', owner);
  const by = (agent: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    people.service().call(method, path, body, { 'x-service-agent': agent, ...headers });
  return {
    ...people,
    by,
    /** Waits until every job has ended, and until the webhooks of what needed none are found. */
    async settled() {
      await people.settled();
      const { read } = people.service().app.database;
      await eventually(async () => (await read((tx) => tx.query('select 1 from admissions limit 1'))).length === 0);
    },
    receiver: () => receiver,
    /** Another agent, linked. */
    async agent(): Promise<string> {
      agents += 1;
      await signIn();
      const tail = agents
        .toString(32)
        .replace(/[0189]/g, (digit) => 'wxyz'[['0', '1', '8', '9'].indexOf(digit)] ?? 'z');
      const agent_id = `agn_${tail.padStart(32, 'a')}`;
      const { status } = await people.as('owner').call('POST', '/v1/agents', { agent_id });
      if (status !== 201) throw new Error(`the agent was not linked: ${status}`);
      return agent_id;
    },
    /** A webhook to a path of the receiver, made by a key or, without one, by a person. */
    async hook(agent: string, path: string, pattern: object, key?: Record<string, string>) {
      const body = { webhook_url: `${receiver.origin}${path}`, name: path, pattern };
      const headers = { 'x-service-agent': agent, ...key };
      const caller = key ? people.service() : people.as('owner');
      const reply = await caller.call('POST', '/v1/webhooks', body, headers);
      if (reply.status !== 201) throw new Error(`the webhook was not made: ${reply.text}`);
      return reply.json;
    },
    async record(agent: string, id: string) {
      const { data } = (await by(agent, 'GET', '/v1/webhooks')).json;
      return data.find((one: { id: string }) => one.id === id);
    },
    /** Into the default namespace by a key, into others by the owner. */
    async write(content: string, more: { namespace?: string; [field: string]: unknown } = {}): Promise<string> {
      const caller = more.namespace === undefined ? people.service() : people.as('owner');
      const reply = await caller.call('POST', '/v1/memories', { content, ...more });
      if (reply.status !== 202) throw new Error(`nothing was written: ${reply.text}`);
      return reply.json.memory_id;
    },
    /** The newest delivery of a webhook once it is as it should be. */
    delivery: (agent: string, id: string, is: (one: { state: string; attempts: number }) => boolean) =>
      eventually(async () => {
        const [first] = (await by(agent, 'GET', `/v1/webhooks/${id}/deliveries`)).json.data;
        return first && is(first) && first;
      }),
  };
}
