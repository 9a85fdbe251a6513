import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';
import { openTokens } from '../../src/adapters/tokens.js';
import { table } from './machine.js';
import { startService, temporaryDirectory, untilSettled } from './service.js';
import { ask, signIn } from './sign-in.js';

const owner = { email: 'owner@example.org', password: 'a password of the bench' };

/** Facts of about 20 tokens each. */
const facts = [
  'Ada moved to Lisbon in March and works in the harbour office on the third floor since then.',
  'The harbour office in Lisbon opens at nine and closes at five, except on Fridays in winter.',
  'Bruno keeps the keys of the harbour office, and Carla has the second set in her desk.',
  'The printer of the harbour office needs paper of size A4, which is kept in room twelve.',
  'Letters for the harbour office go to the post box in Lisbon and not to the street address.',
  'The lift of the harbour office is out of order, and the repair is planned for the next week.',
  'Dora cleans the harbour office on Mondays and asks that no cups are left on the tables.',
  'The harbour office pays its rent on the first of the month from the account in Lisbon.',
  'Visitors of the harbour office sign in at the desk and get a badge for the same day.',
  'The alarm of the harbour office is tested on the last Tuesday of every second month.',
];

const answered = z.object({ content: z.array(z.object({ type: z.string(), text: z.string().optional() })) });

/**
 * The tokens (o200k) of what a model reads from this server, and from the reference memory server, where the path of its program is given: the
 * list of tools, and the texts of results.
 */
export async function benchMcpTokens(reference: string | undefined, env: Readonly<Record<string, string>>) {
  const budget = await openTokens();
  const count = async (text: string) => (await budget.fit(text, Number.MAX_SAFE_INTEGER)).tokens;
  const own = await ownTexts(env);
  const other = reference === undefined ? {} : await referenceTexts(reference);
  const cell = async (text: string | undefined) => (text === undefined ? '—' : String(await count(text)));
  const rows = Object.keys(own).map(async (name) => [name, await cell(own[name]), await cell(other[name])]);
  console.log(table([['tokens of', 'counterfoil', 'reference'], ...(await Promise.all(rows))]));
}

type Texts = Record<string, string>;

/** The text of a result, or the sentence of an error. */
async function textOf(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  try {
    const { content } = answered.parse(await client.callTool({ name, arguments: args }));
    return content.map(({ text = '' }) => text).join('\n');
  } catch (error) {
    return String(error);
  }
}

async function ownTexts(env: Readonly<Record<string, string>>): Promise<Texts> {
  const store = temporaryDirectory();
  try {
    const service = await startService(store.path, 8198, {
      ...env,
      OWNER_EMAIL: owner.email,
      OWNER_PASSWORD: owner.password,
    });
    const cookie = await signIn(service, owner.email, owner.password);
    const { id } = z
      .object({ id: z.string() })
      .parse(await ask(service, 'POST', '/v1/agents', { cookie }, { agent_id: `agn_${'b'.repeat(32)}` }));
    const made = await ask(service, 'POST', `/v1/agents/${id}/keys`, { cookie }, { name: 'bench' });
    const { key } = z.object({ key: z.string() }).parse(made);
    const client = new Client({ name: 'bench', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`), { requestInit }));
    const call = (name: string, args: Record<string, unknown>) => textOf(client, name, args);
    const { tools } = await client.listTools();
    const actions = facts.map((content) => ({ kind: 'memory', content }));
    const hasRemember = tools.some(({ name }) => name === 'remember');
    const texts: Texts = {
      'tools/list': JSON.stringify(tools),
      'a write of 1': hasRemember
        ? await call('remember', { text: 'The tide table hangs beside the door.' })
        : await call('record_action_batch', {
            actions: [{ kind: 'memory', content: 'The tide table hangs beside the door.' }],
          }),
      'a write of 10': await call('record_action_batch', { actions }),
    };
    await untilSettled(service);
    for (const k of [1, 3, 5]) texts[`a search with ${k} hits`] = await call('recall', { query: 'harbour office', k });
    texts['get_context of 5'] = await call('get_context', { query: 'harbour office', limit: 5 });
    texts['a search without hits'] = await call('recall', { query: 'zzqx', filters: { source: ['none'] } });
    texts['refusal: namespace'] = await call('record_action_batch', {
      actions: [{ kind: 'memory', content: 'x', namespace: 'nowhere' }],
    });
    texts['refusal: argument'] = await call('recall', { query: 'x', k: 51 });
    texts['refusal: unknown tool'] = await call('no_such_tool', {});
    await client.close();
    await service.stop();
    return texts;
  } finally {
    store.remove();
  }
}

/** The server @modelcontextprotocol/server-memory, whose memories are observations of entities, without a source or receipt. */
async function referenceTexts(program: string): Promise<Texts> {
  const store = temporaryDirectory();
  try {
    const client = new Client({ name: 'bench', version: '1' });
    const env = { MEMORY_FILE_PATH: `${store.path}/memory.jsonl`, PATH: process.env.PATH ?? '' };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [program], env, stderr: 'ignore' }),
    );
    const call = (name: string, args: Record<string, unknown>) => textOf(client, name, args);
    const entity = (fact: string, n: number) => ({ name: `fact ${n}`, entityType: 'note', observations: [fact] });
    const { tools } = await client.listTools();
    const texts: Texts = {
      'tools/list': JSON.stringify(tools),
      'a write of 1': await call('create_entities', {
        entities: [entity('The tide table hangs beside the door.', 99)],
      }),
      'a write of 10': await call('create_entities', { entities: facts.map(entity) }),
      'a search without hits': await call('search_nodes', { query: 'zzqx' }),
      'refusal: unknown tool': await call('no_such_tool', {}),
    };
    for (const k of [1, 3, 5]) {
      const names = facts.slice(0, k).map((_, n) => `fact ${n}`);
      texts[`a search with ${k} hits`] = await call('open_nodes', { names });
    }
    await client.close();
    return texts;
  } finally {
    store.remove();
  }
}
