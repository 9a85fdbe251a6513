import { Pool } from 'undici';
import { z } from 'zod';
import { load } from './load.js';
import { machineLine, quantile, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory, untilSettled } from './service.js';
import { ask, signIn } from './sign-in.js';
import { randomStream, sentence } from './words.js';

const owner = { email: 'owner@example.org', password: 'a password of the bench' };
const memories = 1000;
/** Requests that are not counted, until both ways run as fast as they do later. */
const warmUp = 100;

/**
 * The tool `recall` over MCP beside a search over REST: the same queries, one after the other, each way first every second
 * time, in one run.
 */
export async function benchMcp(count: number, env: Readonly<Record<string, string>>): Promise<void> {
  const store = temporaryDirectory();
  try {
    const given = { ...env, OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password };
    const service = await startService(store.path, 8197, given);
    const random = randomStream(7);
    await load(service, 16, memories, (send, i) =>
      send('POST', '/v1/memories', { content: `${i} ${sentence(random, 8, 24)}` }),
    );
    await untilSettled(service);
    const ways = { REST: restSearch(service), MCP: await mcpRecall(service) };
    const times = await alternate(ways, warmUp + count, () => sentence(random, 3, 10));
    await service.stop();
    const rows = Object.entries(times).map(
      ([name, ms]) => [name, ...[0.5, 0.95, 0.99].map((q) => quantile(ms, q))] as const,
    );
    const [rest, mcp] = rows;
    console.log(
      table([
        [machineLine()],
        [],
        [`${count} searches in ${memories} memories`, 'p50 ms', 'p95 ms', 'p99 ms'],
        ...rows.map(([name, ...ms]) => [name, ...ms.map((value) => value.toFixed(2))]),
        ['MCP / REST', ...[1, 2, 3].map((at) => (Number(mcp?.[at]) / Number(rest?.[at])).toFixed(3))],
      ]),
    );
  } finally {
    store.remove();
  }
}

type Way = (query: string) => Promise<string>;

async function alternate(ways: Readonly<Record<string, Way>>, count: number, query: () => string) {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let i = 0; i < count; i += 1) {
    const asked = query();
    const order = i % 2 === 0 ? Object.entries(ways) : Object.entries(ways).reverse();
    for (const [name, way] of order) {
      const sent = performance.now();
      await way(asked);
      if (i >= warmUp) times[name]?.push(performance.now() - sent);
    }
  }
  return times;
}

/** One connection, as a client has it. @throws Error for an answer that is no hit list */
function poster(origin: string, path: string, key: string): (body: object) => Promise<string> {
  const pool = new Pool(origin, { connections: 1 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return async (body) => {
    const answer = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode !== 200 || !text.includes('"receipt_hash"')) throw new Error(`${path} answered ${text}`);
    return text;
  };
}

function restSearch({ origin, key }: BenchService): Way {
  const post = poster(origin, '/v1/memories/search', key);
  return (query) => post({ query, k: 8 });
}

async function mcpRecall(service: BenchService): Promise<Way> {
  const post = poster(service.origin, '/mcp', await agentKey(service));
  let id = 0;
  return (query) => {
    id += 1;
    const params = { name: 'recall', arguments: { query, k: 8 } };
    return post({ jsonrpc: '2.0', id, method: 'tools/call', params });
  };
}

const linked = z.object({ id: z.string() });
const made = z.object({ key: z.string() });

/** Links an agent, as the owner, and makes a key for it. */
async function agentKey(service: BenchService): Promise<string> {
  const cookie = await signIn(service, owner.email, owner.password);
  const agent = { agent_id: `agn_${'b'.repeat(32)}` };
  const { id } = linked.parse(await ask(service, 'POST', '/v1/agents', { cookie }, agent));
  return made.parse(await ask(service, 'POST', `/v1/agents/${id}/keys`, { cookie }, { name: 'bench' })).key;
}
