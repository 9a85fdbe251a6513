import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';
import { startService, temporaryDirectory, untilSettled } from '../service.js';
import { ask, signIn } from '../sign-in.js';
import {
  type Connection,
  connected,
  facts,
  hitCounts,
  type Measured,
  oneFact,
  query,
  structuredSearch,
  type Texts,
} from './texts.js';

const owner = { email: 'owner@example.org', password: 'a password of the bench' };

/** This service. */
export async function ownTexts(env: Readonly<Record<string, string>>): Promise<Measured> {
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
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`), { requestInit });
    const texts = await connected(transport, (connection) => textsOf(connection, () => untilSettled(service)));
    await service.stop();
    return { name: 'counterfoil', source: 'each hit has the receipt of its write, its date and its source', texts };
  } finally {
    store.remove();
  }
}

async function textsOf({ tools, call, structured }: Connection, untilSearchable: () => Promise<void>): Promise<Texts> {
  const actions = facts.map((content) => ({ kind: 'memory', content }));
  const texts: Record<string, string> = {
    'tools/list': tools,
    'a write of 1': await call('remember', { text: oneFact }),
    'a write of 10': await call('record_action_batch', { actions }),
  };
  await untilSearchable();
  for (const k of hitCounts) texts[`a search with ${k} hits`] = await call('recall', { query, k });
  texts[structuredSearch] = await structured('recall', { query, k: 3 });
  texts['get_context of 5'] = await call('get_context', { query, limit: 5 });
  texts['a search without hits'] = await call('recall', { query: 'zzqx', filters: { source: ['none'] } });
  const elsewhere = { kind: 'memory', content: 'x', namespace: 'nowhere' };
  texts['refusal: namespace'] = await call('record_action_batch', { actions: [elsewhere] });
  texts['refusal: argument'] = await call('recall', { query: 'x', k: 51 });
  texts['refusal: unknown tool'] = await call('no_such_tool', {});
  return texts;
}
