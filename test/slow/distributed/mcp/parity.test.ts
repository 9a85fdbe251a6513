import { beforeAll, describe, expect, it } from 'vitest';
import { planLimits } from '../../../../contracts/plans.js';
import { useHooks } from '../../../http/hooks.js';
import type { Reply } from '../../../http/service.js';
import { type Answered, newAgent } from '../../../mcp/agent.js';
import { stores } from '../../../support/stores.js';

/** Everything that a caller learns of a call: the code of its refusal with its details, or the answer. */
interface Seen {
  readonly code: string | null;
  readonly details: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what came, no matter its shape
  readonly answer: any;
}

/** The same operations over one of the transports. */
interface Way {
  readonly name: string;
  write(body: object): Promise<Seen>;
  search(body: object): Promise<Seen>;
  subscribe(body: object): Promise<Seen>;
  subscriptions(): Promise<Seen>;
  unsubscribe(id: string): Promise<Seen>;
}

/** One operation, two transports: every row of the tables runs over REST and over MCP, with the rights of one agent. */
describe.each(stores)('REST and MCP on %s', () => {
  const hooks = useHooks();
  let ways: readonly [Way, Way];
  let readers: readonly [Way, Way];
  let far = '';
  let ids: { readonly apiKey: string; readonly agentKey: string; readonly link: string };
  const owner = (method: string, path: string, body?: object) => hooks.as('owner').call(method, path, body);

  beforeAll(async () => {
    far = await hooks.namespaceNamed('far');
    const agent = await newAgent(hooks, {});
    const reader = await newAgent(hooks, { scopes: ['memory.read'] });
    const api = await hooks.newKey({ name: 'desk', agent_id: agent.agentId, scopes: ['memory.read', 'memory.write'] });
    const narrow = await hooks.newKey({ scopes: ['memory.read'] });
    ways = [rest(api.key, agent.agentId), mcp(agent)];
    readers = [rest(narrow.key, reader.agentId), mcp(reader)];
    ids = { apiKey: api.key_id, agentKey: agent.keyId, link: agent.linkId };
  });

  function rest(key: string, agentId: string): Way {
    const headers = { authorization: `Bearer ${key}`, 'x-service-agent': agentId };
    const call = async (method: string, path: string, body?: object) =>
      seenInReply(await hooks.service().call(method, path, body, headers));
    return {
      name: 'REST',
      write: (body) => call('POST', '/v1/memories', body),
      search: (body) => call('POST', '/v1/memories/search', body),
      subscribe: (body) => call('POST', '/v1/webhooks', body),
      subscriptions: () => call('GET', '/v1/webhooks'),
      unsubscribe: (id) => call('DELETE', `/v1/webhooks/${id}`),
    };
  }

  function mcp({ tool, record }: Pick<Awaited<ReturnType<typeof newAgent>>, 'tool' | 'record'>): Way {
    return {
      name: 'MCP',
      write: async (body) => seenInBatch(await record([{ kind: 'memory', ...body }])),
      search: async (body) => seenInResult(await tool('recall', body)),
      subscribe: async (body) => seenInResult(await tool('subscribe', body)),
      subscriptions: async () => seenInResult(await tool('list_subscriptions', {})),
      unsubscribe: async (id) => seenInResult(await tool('unsubscribe', { subscription_id: id })),
    };
  }

  const both = async (act: (way: Way) => Promise<Seen>, pair = ways): Promise<[Seen, Seen]> => [
    await act(pair[0]),
    await act(pair[1]),
  ];

  /** Expects the same refusal of both: the code, and the details but for ids that each of them gets of its own. */
  async function refuse(code: string, act: (way: Way) => Promise<Seen>, pair = ways): Promise<void> {
    const [one, other] = (await both(act, pair)).map(({ code: refused, details }) => ({
      code: refused,
      details: anonymous(details),
    }));
    expect([code, one]).toEqual([code, other]);
    expect(one?.code).toBe(code);
  }

  const receipt = async (id: string) => (await owner('GET', `/v1/receipts/${id}`)).json;
  const used = async (): Promise<number> => (await owner('GET', '/v1/usage')).json.actions.used;
  const setRules = (more: object = {}) =>
    owner('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [], ...more });

  /** Puts the meter of this month to a number of actions, as if there had been as many. */
  const setMeter = (actions: number) =>
    hooks.service().app.database.transaction((tx) => tx.query('update meter set actions = $1', [actions]));

  // @covers PARITY-ORDER
  it('refuse a write in the same order, with all that can be wrong at once', async () => {
    const limit = planLimits.free.actions ?? 0;
    await ways[0].write({ content: 'counted by the meter' });
    const before = await used();
    const faults: readonly (readonly [string, { body?: object; rules?: object; isFree?: true; isReader?: true }])[] = [
      ['insufficient_scope', { isReader: true }],
      ['invalid_source', { body: { source: 7 } }],
      ['metadata_too_large', { body: { metadata: { m: 'x'.repeat(65_536) } } }],
      ['namespace_not_found', { body: { namespace: 'nowhere' } }],
      ['namespace_out_of_scope', { body: { namespace: far } }],
      ['tenant_paused', { rules: { pause_all: true } }],
      ['approval_required', { rules: { ask_owner: [{ min_bytes: 1 }] } }],
      ['plan_action_limit', { isFree: true }],
      ['content_rejected', { rules: { sensitive: 'reject' } }],
    ];
    await setMeter(limit);
    for (const [at, [code]] of faults.entries()) {
      // Those before it are repaired. Where two are about one member, the first of them counts.
      const left = faults.slice(at).map(([, fault]) => fault);
      const body = Object.assign({}, ...left.map((fault) => fault.body ?? {}).reverse());
      await setRules(Object.assign({}, ...left.map(({ rules = {} }) => rules)));
      const isFree = left.some((fault) => fault.isFree);
      await hooks.admin().provision(hooks.first().workspaceId, isFree ? 'free' : 'enterprise');
      const content = (way: Way) => `${way.name} writes to ada@example.org`;
      const pair = left.some(({ isReader }) => isReader) ? readers : ways;
      await refuse(code, (way) => way.write({ content: content(way), ...body }), pair);
    }
    await setRules();
    await hooks.admin().provision(hooks.first().workspaceId, 'enterprise');
    await setMeter(before);
  });

  // @covers PARITY-RULES
  it('hold a write until it was approved, and use the approval once and for nothing else', async () => {
    await setRules({ ask_owner: [{ min_bytes: 1 }] });
    const steps = async (way: Way): Promise<(string | null)[]> => {
      const content = `${way.name} asks first`;
      const held = await way.write({ content });
      const approval_id = String(Object(held.details).approval_id);
      const again = await way.write({ content });
      const early = await way.write({ content, approval_id });
      await owner('POST', `/v1/approvals/${approval_id}/approve`);
      const other = await way.write({ content: `${content}, and more`, approval_id });
      const taken = await way.write({ content, approval_id });
      const { approval } = (await receipt((await written(taken)).receipt_id)).body;
      expect([Object(again.details).approval_id, approval.approval_id]).toEqual([approval_id, approval_id]);
      return [held, again, early, other, taken].map(({ code }) => code);
    };
    const [one, other] = [await steps(ways[0]), await steps(ways[1])];
    expect(one).toEqual(other);
    expect(one).toEqual(['approval_required', 'approval_required', 'approval_required', 'approval_invalid', null]);
    await setRules();
  });

  /** The memory that a write has made. */
  const written = async ({ answer }: Seen) =>
    (await owner('GET', `/v1/memories/${answer.memory_id ?? answer.results[0].memory_id}`)).json;

  // @covers PARITY-ENTRIES PARITY-METER
  it('leave the same entries, but for the transport', async () => {
    const before = await used();
    const seen = await both((way) => way.write({ content: `${way.name} notes`, metadata: { n: 1 }, source: 'parity' }));
    expect(await used()).toBe(before + 2);
    const memories = await Promise.all(seen.map(written));
    const [one, other] = await Promise.all(memories.map(({ receipt_id }) => receipt(receipt_id)));
    expect(Object.keys(one.body)).toEqual(Object.keys(other.body));
    const { via: restVia, ...restActor } = one.actor;
    const { via, ...actor } = other.actor;
    expect([restVia, via]).toEqual([undefined, 'mcp']);
    const own = { type: expect.any(String), id: expect.any(String) };
    expect(actor).toEqual({ ...restActor, ...own });
    expect(memories[1].provenance).toEqual(memories[0].provenance);
  });

  // @covers PARITY-SEARCH
  it('find the same, with a receipt of the same search', async () => {
    await hooks.settled();
    const [one, other] = await both((way) => way.search({ query: 'who notes things', k: 5 }));
    expect(one.answer.data.length).toBeGreaterThan(0);
    const { receipt_id: restId, receipt_hash: _, ...restFound } = one.answer;
    const { receipt_id: mcpId, receipt_hash: __, notice, ...found } = other.answer;
    expect(found).toEqual(restFound);
    expect(notice).toContain('not instructions');
    const [restEntry, entry] = [await receipt(restId), await receipt(mcpId)];
    const { query_commitment: ___, ...restBody } = restEntry.body;
    expect([entry.kind, entry.body]).toMatchObject([restEntry.kind, restBody]);
    expect([restEntry.actor.via, entry.actor.via]).toEqual([undefined, 'mcp']);
  });

  // @covers PARITY-ARGUMENTS
  it('refuse the same arguments of searches and subscriptions with the same codes', async () => {
    const url = `${hooks.receiver().origin}/never`;
    const rows: readonly (readonly [string, (way: Way) => Promise<Seen>])[] = [
      ['invalid_query', (way) => way.search({ query: '' })],
      ['invalid_query', (way) => way.search({})],
      ['invalid_query', (way) => way.search({ query: 'x'.repeat(2001) })],
      ['invalid_k', (way) => way.search({ query: 'x', k: 51 })],
      ['invalid_token_budget', (way) => way.search({ query: 'x', token_budget: 1 })],
      ['invalid_agent_id', (way) => way.search({ query: 'x', agent_id: 7 })],
      ['invalid_filters', (way) => way.search({ query: 'x', filters: { colour: 'red' } })],
      ['invalid_namespace_ids', (way) => way.search({ query: 'x', namespace_ids: [] })],
      ['unknown_field', (way) => way.search({ query: 'x', limit: 1 })],
      ['namespace_out_of_scope', (way) => way.search({ query: 'x', namespace_ids: [far] })],
      ['invalid_request', (way) => way.subscribe({ webhook_url: url })],
      ['invalid_request', (way) => way.subscribe({ webhook_url: url, pattern: { colour: 'red' } })],
      ['namespace_out_of_scope', (way) => way.subscribe({ webhook_url: url, pattern: { namespace_id: far } })],
      ['webhook_not_found', (way) => way.unsubscribe('01919f3a-5c00-7a10-8a4e-2f6f0d1c9b01')],
    ];
    for (const [code, act] of rows) await refuse(code, act);
    await refuse('insufficient_scope', (way) => way.subscribe({ webhook_url: url, pattern: { source: 'x' } }), readers);
  });

  // @covers PARITY-HOOKS
  it('subscribe for one agent, and cause the same deliveries', async () => {
    const pattern = { source: 'parity-hook' };
    const made = await both((way) =>
      way.subscribe({ webhook_url: `${hooks.receiver().origin}/${way.name}`, name: 'parity', pattern }),
    );
    expect(Object.keys(made[0].answer).filter((name) => name in made[1].answer)).toEqual(Object.keys(made[0].answer));
    const [one, other] = await both((way) => way.subscriptions());
    expect(other.answer.data).toEqual(one.answer.data);
    expect(one.answer.data).toHaveLength(2);
    await both((way) => way.write({ content: `delivered from ${way.name}`, source: 'parity-hook' }));
    for (const { name } of ways) {
      const sent = await hooks.receiver().until(2, `/${name}`);
      const excerpts = sent.map(({ json }) => json.data.memory.excerpt).sort();
      expect(excerpts).toEqual(['delivered from MCP', 'delivered from REST']);
      expect(Object.keys(sent[0]?.json.data.memory)).toEqual(Object.keys(sent[1]?.json.data.memory));
    }
    // Each ends the subscription that the other transport has made.
    const ended = [await ways[0].unsubscribe(made[1].answer.id), await ways[1].unsubscribe(made[0].answer.id)];
    expect(ended.map(({ answer }) => answer)).toMatchObject([
      { id: made[1].answer.id, deleted: true },
      { id: made[0].answer.id, deleted: true },
    ]);
    expect((await ways[1].subscriptions()).answer.data).toEqual([]);
  });

  // @covers PARITY-REVOKED
  it('lose their rights with the next call', async () => {
    const bind = async (namespace: string) => {
      const body = { namespace_ids: [namespace] };
      await owner('PUT', `/v1/keys/${ids.apiKey}/namespaces`, body);
      await owner('PUT', `/v1/agents/${ids.link}/keys/${ids.agentKey}/namespaces`, body);
    };
    const write = (way: Way) => way.write({ content: `${way.name} writes`, namespace: hooks.first().namespaceId });
    await bind(far);
    await refuse('namespace_out_of_scope', write);
    await bind(hooks.first().namespaceId);
    expect((await both(write)).map(({ code }) => code)).toEqual([null, null]);
    await owner('DELETE', `/v1/keys/${ids.apiKey}`);
    await owner('DELETE', `/v1/agents/${ids.link}/keys/${ids.agentKey}`);
    await refuse('unauthorized', write);
    await refuse('unauthorized', (way) => way.search({ query: 'x' }));
  });
});

/** Without the namespaces that MCP adds for a model (`test/mcp/remember.test.ts`). */
function anonymous(details: unknown): unknown {
  const { namespaces: _, ...own } = Object(details ?? {});
  return JSON.parse(JSON.stringify(own).replace(/\b(apr|rcp)_[0-9a-f]{32}\b/g, '$1'));
}

/** The body of a limit of a plan has a form of its own. What is wrong with an argument is said in another way over MCP. */
function seenInReply({ status, json }: Reply): Seen {
  if (status < 400) return { code: null, details: null, answer: json };
  if (typeof json.error === 'string') {
    const { error, message: _, request_id: __, ...details } = json;
    return { code: error, details, answer: null };
  }
  const { code, details = {} } = json.error;
  return { code, details: status === 400 && code !== 'content_rejected' ? {} : details, answer: null };
}

function seenInResult({ code, details, error, structured }: Answered): Seen {
  if (error) return { code, details: {}, answer: null };
  return { code, details: code === null ? null : details, answer: structured };
}

function seenInBatch(answered: Answered): Seen {
  const { structured, isError } = answered;
  if (structured === null || !isError) return seenInResult(answered);
  const { code, details } = structured.results[0].error;
  return { code, details, answer: null };
}
