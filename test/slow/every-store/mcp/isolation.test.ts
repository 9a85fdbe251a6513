import { beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../http/ask.js';
import { usePeople } from '../../../http/people.js';
import { signedIn } from '../../../http/person.js';
import { accessToken, registeredClient } from '../../../mcp/access-token.js';
import { stores } from '../../../support/stores.js';

const agent = `agn_${'a'.repeat(32)}`;
const otherAgent = `agn_${'b'.repeat(32)}`;
const mark = 'quetzalcoatl';

/** The rows that the tests have put into the workspace: all of it in its default namespace, and the subscription of one agent. */
interface Placed {
  readonly namespace: string;
  readonly memory: string;
  readonly receipt: string;
  readonly subscription: string;
  /** Memories of which each call that deletes one takes the next. */
  readonly spare: string[];
}

/** The credentials, each with how far it reaches. */
const credentials = [
  /** All of the namespace, as the agent of the subscription. */
  'home',
  'another agent',
  'another workspace',
  'another namespace',
  'only reading',
  'no namespace',
  'grant of a reader',
  'grant without agent',
  'grant without role',
  'grant for mcp:tools only',
] as const;
type Credential = (typeof credentials)[number];

/** An MCP request, and what each credential gets for it: `ok`, or a code. `home` gets `ok`. */
interface Row {
  readonly method: string;
  params(placed: Placed): object;
  readonly outcomes: Readonly<Record<Exclude<Credential, 'home'>, string>>;
  /** The credentials whose `ok` shows nothing of what was placed: they found nothing. */
  readonly blind?: readonly Credential[];
}

/** Denied in any case, by an empty binding, by the role or by the scopes. */
const denied = {
  'no namespace': 'key_has_no_namespaces',
  'grant without role': 'workspace_role_required',
  'grant for mcp:tools only': 'insufficient_scope',
};
const read = {
  'another agent': 'ok',
  'only reading': 'ok',
  'grant of a reader': 'ok',
  'grant without agent': 'ok',
  ...denied,
};
const write = {
  'another agent': 'ok',
  'only reading': 'insufficient_scope',
  'grant of a reader': 'insufficient_scope',
  'grant without agent': 'ok',
  ...denied,
};
const everywhere = { ...read, 'another workspace': 'ok', 'another namespace': 'ok' };
const outside = ['another workspace', 'another namespace'] as const;
const ofMemory = { ...read, 'another workspace': 'memory_not_found', 'another namespace': 'memory_out_of_scope' };
const outOfScope = 'namespace_out_of_scope';

const tool = (name: string, args: (placed: Placed) => object, rest: Omit<Row, 'method' | 'params'>): Row => ({
  method: 'tools/call',
  params: (placed) => ({ name, arguments: args(placed) }),
  ...rest,
});

/** By name: each tool that the server lists has a row here. */
const tools: Readonly<Record<string, Row>> = {
  remember: tool('remember', ({ namespace }) => ({ text: `the ${mark} sings`, namespace }), {
    outcomes: { ...write, 'another workspace': 'namespace_not_found', 'another namespace': outOfScope },
  }),
  forget: tool('forget', ({ spare }) => ({ id: spare.shift() }), {
    outcomes: { ...write, 'another workspace': 'memory_not_found', 'another namespace': 'memory_out_of_scope' },
  }),
  'forget by a short id': tool('forget', ({ spare }) => ({ id: spare.shift()?.slice(-12) }), {
    outcomes: { ...write, 'another workspace': 'memory_not_found', 'another namespace': 'memory_not_found' },
  }),
  recall: tool('recall', () => ({ query: mark }), { outcomes: everywhere, blind: outside }),
  'recall in a namespace': tool('recall', ({ namespace }) => ({ query: mark, namespace_ids: [namespace] }), {
    outcomes: { ...read, 'another workspace': outOfScope, 'another namespace': outOfScope },
  }),
  get_context: tool('get_context', () => ({ query: mark }), { outcomes: everywhere, blind: outside }),
  record_action_batch: tool(
    'record_action_batch',
    ({ namespace }) => ({ actions: [{ kind: 'memory', content: `the ${mark} again`, namespace }] }),
    { outcomes: { ...write, 'another workspace': 'namespace_not_found', 'another namespace': outOfScope } },
  ),
  list_subscriptions: tool('list_subscriptions', () => ({}), {
    outcomes: { ...everywhere, 'grant without agent': 'agent_required' },
    blind: [...outside, 'another agent', 'only reading', 'grant of a reader'],
  }),
  unsubscribe: tool('unsubscribe', ({ subscription }) => ({ subscription_id: subscription }), {
    outcomes: {
      ...write,
      'another agent': 'webhook_not_found',
      'another workspace': 'webhook_not_found',
      'another namespace': 'webhook_not_found',
      'grant without agent': 'agent_required',
    },
  }),
  subscribe: tool(
    'subscribe',
    ({ namespace }) => ({ webhook_url: 'https://hooks.example.org/x', pattern: { namespace_id: namespace } }),
    {
      outcomes: {
        ...write,
        'another workspace': outOfScope,
        'another namespace': outOfScope,
        'grant without agent': 'agent_required',
      },
    },
  ),
  search: tool('search', () => ({ query: mark }), { outcomes: everywhere, blind: outside }),
  fetch: tool('fetch', ({ memory }) => ({ id: memory }), { outcomes: ofMemory }),
};

const row = (method: string, params: Row['params'], rest: Omit<Row, 'method' | 'params'>): Row => ({
  method,
  params,
  ...rest,
});

const offers: Readonly<Record<string, Row>> = {
  'resources/list': row('resources/list', () => ({}), { outcomes: everywhere, blind: outside }),
  'a memory': row('resources/read', ({ memory }) => ({ uri: `memory://${memory}` }), { outcomes: ofMemory }),
  'a receipt': row('resources/read', ({ receipt }) => ({ uri: `receipt://${receipt}` }), {
    outcomes: { ...read, 'another workspace': 'receipt_not_found', 'another namespace': outOfScope },
  }),
  'a prompt': row('prompts/get', () => ({ name: 'with_memory', arguments: { question: mark } }), {
    outcomes: everywhere,
    blind: outside,
  }),
  'a completion': row(
    'completion/complete',
    ({ memory }) => ({
      ref: { type: 'ref/resource', uri: 'memory://{id}' },
      argument: { name: 'id', value: memory.slice(0, 12) },
    }),
    { outcomes: everywhere, blind: outside },
  ),
};

describe.each(stores)('what a credential of MCP reaches on %s', () => {
  const people = usePeople({ MCP_SEARCH_FETCH: 'on' });
  const owner = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    people.as('owner').call(method, path, body, headers);
  const tokens: Partial<Record<Credential, string>> = {};
  let placed: Placed;

  const rpc = async (credential: Credential, method: string, params: object) => {
    const { status, text, json } = await ask(people.service().app.server.listeningOrigin, 'POST', '/mcp', {
      headers: {
        authorization: `Bearer ${tokens[credential]}`,
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return { status, text, json };
  };

  /** A grant of a person who has this role by now. */
  async function grantOf(
    role: string,
    scopes: ('mcp:tools' | 'memory.read' | 'memory.write')[],
    agentId: string | null,
  ) {
    const { workspaceId, namespaceId } = people.first();
    const person = await signedIn(people.service(), await people.admin().member(workspaceId, 'member'));
    const memberId = (await person.call('GET', '/v1/session')).json.user.id;
    const clientId = await registeredClient(people.service());
    const given = { namespaceIds: [namespaceId], scopes, agentId, clientId };
    const grantId = await people.admin().grant(workspaceId, memberId, given);
    await owner('PATCH', `/v1/members/${memberId}`, { role });
    return accessToken(people.service(), { grantId, clientId, memberId, scopes });
  }

  beforeAll(async () => {
    const admin = people.admin();
    const { workspaceId, namespaceId } = people.first();
    const elsewhere = await people.namespaceNamed('elsewhere');
    const there = (await admin.workspace()).workspaceId;
    const all = ['mcp:tools', 'memory.read', 'memory.write'] as const;
    tokens.home = await admin.agentKey(workspaceId, agent, {});
    tokens['another agent'] = await admin.agentKey(workspaceId, otherAgent, {});
    tokens['another workspace'] = await admin.agentKey(there, agent, {});
    tokens['another namespace'] = await admin.agentKey(workspaceId, otherAgent, { namespaceIds: [elsewhere] });
    tokens['only reading'] = await admin.agentKey(workspaceId, otherAgent, { scopes: ['memory.read'] });
    tokens['no namespace'] = await admin.agentKey(workspaceId, agent, { namespaceIds: [] });
    tokens['grant of a reader'] = await grantOf('reader', [...all], otherAgent);
    tokens['grant without agent'] = await grantOf('member', [...all], null);
    tokens['grant without role'] = await grantOf('none', [...all], agent);
    tokens['grant for mcp:tools only'] = await grantOf('owner', ['mcp:tools'], agent);
    const written = await owner('POST', '/v1/memories', { content: `The ${mark} sleeps in the orchard.` });
    const contents = Array.from({ length: 2 * credentials.length }, (_, n) => `Leaf number ${n}.`);
    const leaves = await Promise.all(contents.map((content) => owner('POST', '/v1/memories', { content })));
    await people.settled();
    const hook = { webhook_url: `https://${mark}.example.org/`, pattern: { source: 'nowhere' } };
    const subscribed = await owner('POST', '/v1/webhooks', hook, { 'x-service-agent': agent });
    const memory = (await owner('GET', `/v1/memories/${written.json.memory_id}`)).json;
    placed = {
      namespace: namespaceId,
      memory: memory.id,
      receipt: memory.receipt_id,
      subscription: subscribed.json.id,
      spare: leaves.map(({ json }) => json.memory_id),
    };
  });

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at as they come
  const outcomeOf = ({ error, result }: any): string => {
    if (error) return error.data?.code ?? String(error.code);
    if (result.isError)
      return result._meta?.['counterfoil/error']?.code ?? result.structuredContent?.results?.[0].error.code;
    return 'ok';
  };

  async function compare(name: string, { method, params, outcomes, blind = [] }: Row): Promise<void> {
    const found: Record<string, string> = {};
    for (const credential of credentials) {
      // Last, because it may end what the other credentials look for.
      if (credential === 'home') continue;
      const { text, json } = await rpc(credential, method, params(placed));
      found[credential] = outcomeOf(json);
      const mayShow = outcomes[credential] === 'ok' && !blind.includes(credential);
      if (mayShow) continue;
      // The query itself may be repeated, what was found may not.
      expect([name, credential, /orchard|\.example\.org/.test(text)]).toEqual([name, credential, false]);
      if (blind.includes(credential))
        expect([name, credential, text.includes(placed.memory)]).toEqual([name, credential, false]);
    }
    expect([name, found]).toEqual([name, outcomes]);
    const { json } = await rpc('home', method, params(placed));
    expect([name, outcomeOf(json)]).toEqual([name, 'ok']);
  }

  const listed = async (): Promise<string[]> =>
    (await rpc('home', 'tools/list', {})).json.result.tools.map((one: { name: string }) => one.name);

  // @covers MCP-ISOLATION MCP-UNBOUND
  it('is the same for every tool as over REST, and no tool is unknown here', async () => {
    const names = await listed();
    expect(names.filter((name) => !Object.hasOwn(tools, name))).toEqual([]);
    for (const [name, one] of Object.entries(tools)) {
      if (names.includes(name.split(' ')[0] ?? '')) await compare(name, one);
    }
  });

  // @covers MCP-ISOLATION MCP-UNBOUND
  it('is the same for resources, prompts and completions', async () => {
    for (const [name, one] of Object.entries(offers)) await compare(name, one);
  });

  // @covers MCP-CREDENTIAL
  it('is nothing for credentials of the API', async () => {
    const { key } = await people.newKey();
    for (const token of [key, 'vk_x', `agt_${'x'.repeat(43)}`, 'x.y.z']) {
      const { status, headers, json } = await ask(people.service().app.server.listeningOrigin, 'POST', '/mcp', {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      });
      expect([status, json.error.code, headers.get('www-authenticate')?.slice(0, 29)]).toEqual([
        401,
        -32000,
        'Bearer error="invalid_token",',
      ]);
    }
    const { status } = await people.as('owner').call('POST', '/mcp', {}, { 'content-type': 'application/json' });
    expect(status).toBe(401);
    // And the other way round.
    for (const credential of ['home', 'grant of a reader'] as const) {
      const reply = await people.withKey(tokens[credential] ?? '', 'GET', '/v1/memories');
      expect(reply.status).toBe(credential === 'home' ? 403 : 401);
    }
  });
});
