import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { openDatabase } from '../../src/database/open.js';
import { fsck } from '../../src/maintenance/fsck.js';
import { rebuildables } from '../../src/maintenance/rebuildable.js';
import { type Asked, ask } from '../http/ask.js';
import { apiKey } from '../http/service.js';

/** The answers that clients got while a store was away. */
export interface Reported {
  /** Of memories whose write was acknowledged: id → content, or null once its delete was. */
  readonly memories: ReadonlyMap<string, string | null>;
  /** Operation, status and code → how often. */
  readonly counts: ReadonlyMap<string, number>;
  /** Answers that no client should get: neither what was requested nor a refusal that says when to try again. */
  readonly wrong: readonly string[];
  /** The longest that anybody waited for an answer, in milliseconds. */
  readonly slowest: number;
}

/** The codes of the interface for a store that is away. */
const away: Readonly<Record<string, readonly string[]>> = {
  write: ['receipt_unavailable', 'meter_unavailable', 'approval_unavailable'],
  delete: ['receipt_unavailable'],
  search: ['recall_receipt_unavailable'],
  webhooks: ['memory_unavailable'],
};

/** Settings of the one who links agents. */
export const owner = { OWNER_EMAIL: 'owner@example.org', OWNER_PASSWORD: 'a password of the owner' };

/** An agent whose webhooks can be asked for. */
export async function linkedAgent(origin: string): Promise<string> {
  const person = { email: owner.OWNER_EMAIL, password: owner.OWNER_PASSWORD };
  const session = await ask(origin, 'POST', '/v1/session', { body: JSON.stringify(person) });
  const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const agent_id = `agn_${'a'.repeat(32)}`;
  const linked = await ask(origin, 'POST', '/v1/agents', { headers: { cookie }, body: JSON.stringify({ agent_id }) });
  if (linked.status !== 201) throw new Error(`the agent was not linked: ${linked.text}`);
  return agent_id;
}

/** Clients that write, delete, search, list and read until they are stopped, as mixed as they come. */
export function startLoad(origin: string, clients: number, agent: string): { stop(): Promise<Reported> } {
  const memories = new Map<string, string | null>();
  const counts = new Map<string, number>();
  const wrong: string[] = [];
  let slowest = 0;
  let stopping = false;

  async function call(name: string, method: string, path: string, body?: object): Promise<Asked> {
    const from = performance.now();
    const reply = await ask(origin, method, path, {
      headers: { authorization: `Bearer ${apiKey}`, 'x-service-agent': agent },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    slowest = Math.max(slowest, performance.now() - from);
    const code = reply.status < 400 ? '' : ` ${reply.json?.error?.code}`;
    const reported = `${name} ${reply.status}${code}`;
    counts.set(reported, (counts.get(reported) ?? 0) + 1);
    const refused = reply.status === 503 && [...(away[name] ?? []), 'not_ready'].some((one) => code === ` ${one}`);
    if (reply.status >= 300 && !(refused && reply.headers.has('retry-after'))) wrong.push(`${reported}: ${reply.text}`);
    return reply;
  }

  async function client(name: number): Promise<void> {
    const own: string[] = [];
    for (let i = 0; !stopping; i += 1) {
      const content = `client ${name} reports story ${i}`;
      const added = await call('write', 'POST', '/v1/memories', { content });
      if (added.status === 202) {
        memories.set(added.json.memory_id, content);
        own.push(added.json.memory_id);
      }
      if (i % 3 === 0) await call('search', 'POST', '/v1/memories/search', { query: `story of client ${name}` });
      if (i % 4 === 1) await call('list', 'GET', '/v1/memories?limit=5');
      if (i % 5 === 2) await call('webhooks', 'GET', '/v1/webhooks');
      if (i % 5 === 3) await call('usage', 'GET', '/v1/usage');
      if (i % 6 === 4) await call('log', 'GET', '/v1/ledger/keys');
      const victim = i % 5 === 4 ? own.shift() : undefined;
      if (victim === undefined) continue;
      // Until its answer is there no one can know whether the memory is.
      memories.delete(victim);
      if ((await call('delete', 'DELETE', `/v1/memories/${victim}`)).status === 200) memories.set(victim, null);
    }
  }

  const all = Promise.all(Array.from({ length: clients }, (_, name) => client(name)));
  return {
    async stop() {
      stopping = true;
      await all;
      return { memories, counts, wrong, slowest };
    },
  };
}

/** Waits until what is asked is so. */
export async function until(ms: number, is: () => Promise<boolean>): Promise<void> {
  for (const from = performance.now(); !(await is()); ) {
    if (performance.now() - from > ms) throw new Error(`not so within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The faults of the store at `url` after clients got those answers: something lost, there twice, or not as the ledger says. */
export async function faultsAfter(url: string, { memories }: Reported): Promise<string[]> {
  const database = await openDatabase({ kind: 'server', url });
  try {
    const rows = await database.read((tx) =>
      tx.query<{ id: string; content: string }>(
        'select m.id::text, v.content from memories m join vault v on v.receipt_id = m.receipt_id',
      ),
    );
    const held = new Map(rows.map(({ id, content }) => [id, content]));
    const faults = [...memories].flatMap(([id, content]) =>
      (held.get(id) ?? null) === content ? [] : [`${id} (${content ?? 'deleted'}) is ${held.get(id) ?? 'not there'}`],
    );
    if (new Set(held.values()).size !== held.size) faults.push('a content is there twice');
    const { faults: found } = await fsck(database, rebuildables(lexicalEmbedder()), { onProgress: () => undefined });
    return found === null ? faults : [...faults, found];
  } finally {
    await database.close();
  }
}
