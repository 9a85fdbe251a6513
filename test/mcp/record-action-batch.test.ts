import { beforeAll, describe, expect, it } from 'vitest';
import { usePeople } from '../http/people.js';
import { someAgent } from '../support/decisions.js';
import { callTool, newAgent } from './agent.js';

type Agent = Awaited<ReturnType<typeof newAgent>>;

const memory = (content: string, more: object = {}) => ({ kind: 'memory', content, ...more });
const decision = (summary: string, more: object = {}) => ({ kind: 'decision', summary, ...more });
const handoff = (summary: string, more: object = {}) => ({ kind: 'handoff', summary, to_agent: someAgent, ...more });

describe('record_action_batch', () => {
  const people = usePeople({ ANCHOR_INTERVAL: '168h' });
  let agent: Agent;
  beforeAll(async () => {
    agent = await newAgent(people);
  });
  const owner = (method: string, path: string, body?: object) => people.as('owner').call(method, path, body);
  const receipt = async (id: string) => (await owner('GET', `/v1/receipts/${id}`)).json;
  const used = async (): Promise<number> => (await owner('GET', '/v1/usage')).json.actions.used;
  const setRules = (more: object = {}) =>
    owner('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [], ...more });

  // @covers ACTIONS-RESULT ACTIONS-ORDER ACTIONS-METER ACTIONS-VIA
  it('records every kind, in order, and says it twice: as JSON and as text', async () => {
    const before = await used();
    const { text, isError, structured } = await agent.record([
      memory('The heron nests by the weir.', { metadata: { kind: 'bird' }, source: 'walk', client_ref: 'a' }),
      decision('Feed it.', { options: ['feed', 'leave'], chosen: 'feed', reason: 'It is winter.', refs: ['heron-1'] }),
      handoff('Feed the heron.', { task: 'Bring fish.', client_ref: '' }),
    ]);
    expect(isError).toBe(false);
    const { results } = structured;
    const ids = { receipt_id: expect.stringMatching(/^rcp_/), receipt_hash: expect.stringMatching(/^[0-9a-f]{64}$/) };
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(structured).toEqual({
      results: [
        {
          index: 0,
          client_ref: 'a',
          ok: true,
          kind: 'memory',
          ...ids,
          memory_id: uuid,
          job_id: uuid,
          duplicate: false,
        },
        { index: 1, ok: true, kind: 'decision', ...ids },
        { index: 2, client_ref: '', ok: true, kind: 'handoff', ...ids },
      ],
    });
    for (const { receipt_id, receipt_hash } of results) {
      expect(receipt_id).toMatch(/^rcp_/);
      expect(text).toContain(receipt_hash.slice(0, 12));
    }
    expect(text).toContain(results[0].memory_id.slice(-12));
    const receipts = await Promise.all(results.map((one: { receipt_id: string }) => receipt(one.receipt_id)));
    expect(receipts.map(({ seq }) => seq - receipts[0].seq)).toEqual([0, 1, 2]);
    expect(new Set(receipts.map(({ recorded_at }) => recorded_at)).size).toBe(1);
    expect(receipts.map(({ hash }) => hash)).toEqual(results.map((one: { receipt_hash: string }) => one.receipt_hash));
    for (const { actor } of receipts) {
      expect(actor).toMatchObject({ type: 'agent_key', id: agent.keyId, agent_id: agent.agentId, via: 'mcp' });
    }
    expect(receipts[1].decision).toEqual({
      summary: 'Feed it.',
      options: ['feed', 'leave'],
      chosen: 'feed',
      reason: 'It is winter.',
      refs: ['heron-1'],
    });
    expect(receipts[2].handoff).toEqual({
      summary: 'Feed the heron.',
      task: 'Bring fish.',
      to_agent: someAgent,
      refs: [],
    });
    expect(await used()).toBe(before + 3);
  });

  // @covers MCPT-ARGUMENTS
  it('takes a list that is JSON text, with null for what is absent, and none with a key twice', async () => {
    const absent = { metadata: null, source: '', refs: null, summary: null, playground: 'false', client_ref: null };
    const actions = JSON.stringify([memory('The otter sleeps in May.', absent)]);
    const recorded = await callTool(people.service().app.server.listeningOrigin, agent.key, 'record_action_batch', {
      actions,
      idempotency_key: null,
    });
    const [{ memory_id }] = recorded.structured.results;
    const stored = await owner('GET', `/v1/memories/${memory_id}`);
    expect(stored.json).toMatchObject({ content: 'The otter sleeps in May.', source: null, metadata: {} });
    const twice = '[{"kind":"memory","content":"a","content":"The otter wakes."}]';
    const refused = await callTool(people.service().app.server.listeningOrigin, agent.key, 'record_action_batch', {
      actions: twice,
    });
    expect(refused.error).toMatchObject({ code: -32602, message: expect.stringMatching(/^actions must be a list/) });
  });

  // @covers ACTIONS-METADATA
  it('stores the metadata of a memory exactly as it was sent', async () => {
    const metadata = '{"z":1.0,"a":{"n":1e3, "deep":[ 1.50 ]},"\\u0062":"\\u0041"}';
    const sent = `{"actions":[{"kind":"memory","content":"exact","metadata":${metadata}}]}`;
    const { structured } = await agent.tool('record_action_batch', sent);
    const stored = await owner('GET', `/v1/memories/${structured.results[0].memory_id}`);
    expect(stored.text).toContain(`"metadata":${metadata}`);
  });

  // @covers ACTIONS-DUPLICATE
  it('finds the same memory in the batch and in the store, with its receipt', async () => {
    const before = await used();
    const [first, second] = (await agent.record([memory('twice'), memory('twice')])).structured.results;
    expect(second).toEqual({ ...first, index: 1, duplicate: true });
    const { structured, text } = await agent.record([memory('twice')]);
    expect(structured.results).toEqual([{ ...first, duplicate: true }]);
    expect(text).toContain('stored before');
    expect(await used()).toBe(before + 1);
  });

  // @covers ACTIONS-ARGUMENTS
  it('refuses a wrong argument anywhere for the whole call, and writes nothing', async () => {
    const before = await used();
    const stored = memory('never stored');
    for (const [args, path, code = 'invalid_request'] of [
      [{}, 'actions'],
      [{ actions: [] }, 'actions'],
      [{ actions: Array.from({ length: 51 }, () => stored) }, 'actions'],
      [{ actions: [stored, 'x'] }, 'actions'],
      [{ actions: [stored, { ...stored, summary: 'x' }] }, 'actions.1.summary'],
      [{ actions: [stored, { ...stored, content: 'a\0b' }] }, 'actions.1.content', 'invalid_content'],
      [{ actions: [stored], idempotency_key: 7 }, 'idempotency_key'],
      [{ actions: [stored], idempotency_key: 'two words' }, 'idempotency_key'],
      [{ actions: [stored], other: 1 }, 'other'],
    ] as const) {
      const { status, error } = await agent.tool('record_action_batch', args);
      expect([status, path, error]).toMatchObject([200, path, { code: -32602, data: { code, issues: [{ path }] } }]);
      expect(error.message).toBe(error.data.issues[0].message);
    }
    expect(await used()).toBe(before);
  });

  // @covers ACTIONS-ALONE
  it('refuses what only the service can know for that action alone', async () => {
    const far = await people.namespaceNamed('far');
    const { structured, isError, text } = await agent.record([
      memory('of a namespace that is not there', { namespace: 'nowhere', client_ref: 'a' }),
      decision('out of reach', { namespace: far }),
      memory('x'.repeat(1_048_577)),
      memory('m', { metadata: { m: 'x'.repeat(65_536) } }),
      memory('the good one'),
      memory('with an approval', { approval_id: 'apr_nothing' }),
    ]);
    expect(isError).toBe(false);
    const error = (code: string) => ({ ok: false, error: { code, message: expect.any(String), details: {} } });
    expect(structured.results).toMatchObject([
      { index: 0, client_ref: 'a', ...error('namespace_not_found') },
      { index: 1, ...error('namespace_out_of_scope') },
      {
        index: 2,
        ...error('content_too_large'),
        error: { details: { limit_bytes: 1_048_576, size_bytes: 1_048_577 } },
      },
      { index: 3, ...error('metadata_too_large') },
      { index: 4, ok: true },
      { index: 5, ok: true },
    ]);
    expect(text).toContain('0: refused. namespace_not_found: There is no namespace');
  });

  // @covers ACTIONS-ALL-REFUSED
  it('is an error only when every action was refused', async () => {
    const nowhere = { namespace: 'nowhere' };
    const all = await agent.record([memory('x', nowhere), decision('x', nowhere)]);
    const [first] = all.structured.results;
    expect([all.isError, all.code, all.details]).toEqual([true, 'namespace_not_found', first.error.details]);
    expect(all.structured.results).toMatchObject([{ ok: false }, { ok: false }]);
    expect((await agent.record([memory('x', nowhere), decision('x')])).isError).toBe(false);
  });

  // @covers ACTIONS-APPROVAL
  it('says which approval a memory waits for, and takes it once it was given', async () => {
    await setRules({ ask_owner: [{ min_bytes: 1 }] });
    const held = await agent.record([memory('ask first'), decision('not held'), handoff('not held')]);
    expect(held.structured.results).toMatchObject([{ ok: false }, { ok: true }, { ok: true }]);
    const { code, message, details } = held.structured.results[0].error;
    expect([code, details]).toEqual(['approval_required', { approval_id: expect.stringMatching(/^apr_/) }]);
    expect(message).toContain(details.approval_id);
    expect(held.text).toContain(details.approval_id);
    await owner('POST', `/v1/approvals/${details.approval_id}/approve`);
    const approved = memory('ask first', { approval_id: details.approval_id });
    expect((await agent.record([approved])).structured.results).toMatchObject([{ ok: true, duplicate: false }]);
    await setRules();
  });

  // @covers ACTIONS-APPROVAL MCPT-REMEMBER
  it('writes with an approval the text that remember was held with', async () => {
    await setRules({ ask_owner: [{ min_bytes: 1 }] });
    const held = await agent.tool('remember', { text: 'ask before', source: 'chat', metadata: { n: 1 } });
    expect([held.isError, held.code]).toEqual([true, 'approval_required']);
    const [, approval = ''] = /record_action_batch: .* approval_id (apr_\w+)\.$/.exec(held.text) ?? [];
    expect(held.details).toEqual({ approval_id: approval });
    await owner('POST', `/v1/approvals/${approval}/approve`);
    const same = memory('ask before', { source: 'chat', metadata: { n: 1 }, approval_id: approval });
    expect((await agent.record([same])).structured.results).toMatchObject([{ ok: true, duplicate: false }]);
    await setRules();
  });

  // @covers ACTIONS-SENSITIVE
  it('redacts decisions and handoffs, or refuses them', async () => {
    const sent = [
      decision('Write to ada@example.org.', { reason: 'ada@example.org asked' }),
      handoff('ada@example.org'),
    ];
    const [first] = (await agent.record(sent)).structured.results;
    expect((await receipt(first.receipt_id)).decision).toMatchObject({
      summary: 'Write to [redacted].',
      reason: '[redacted] asked',
    });
    await setRules({ sensitive: 'reject' });
    const { structured, isError } = await agent.record(sent);
    expect(isError).toBe(true);
    expect(structured.results).toMatchObject([
      { error: { code: 'content_rejected', details: { kinds: { email: 2 } } } },
      { error: { code: 'content_rejected', details: { kinds: { email: 1 } } } },
    ]);
    await setRules();
  });

  const keyed = (idempotency_key: string) => ({ idempotency_key });
  const inMeta = (key: string) => ({ 'counterfoil/idempotencyKey': key });

  // @covers ACTIONS-ONCE
  it('records a repeated batch once, and tries again what was refused', async () => {
    const actions = [decision('once'), memory('once'), memory('once more'), memory('later', { namespace: 'later' })];
    const first = await agent.record(actions, keyed('k-1'));
    expect(first.structured.results).toMatchObject([{ ok: true }, { ok: true }, { ok: true }, { ok: false }]);
    const before = await used();
    expect(await agent.record(actions, {}, inMeta('k-1'))).toEqual(first);
    const namespace = await people.namespaceNamed('later');
    await owner('PUT', `/v1/agents/${agent.linkId}/keys/${agent.keyId}/namespaces`, {
      namespace_ids: [people.first().namespaceId, namespace],
    });
    const again = await agent.record(actions, keyed('k-1'), inMeta('k-1'));
    expect(again.structured.results.slice(0, 3)).toEqual(first.structured.results.slice(0, 3));
    expect(again.structured.results[3]).toMatchObject({ ok: true });
    expect(await used()).toBe(before + 1);
    const other = await newAgent(people);
    expect((await other.record(actions, keyed('k-1'))).structured.results[0]).toMatchObject({ ok: true });
    expect(await used()).toBe(before + 2);
  });

  // @covers ACTIONS-ONCE-REUSED
  it('refuses a key that was used for other actions, no matter which of them were recorded', async () => {
    const refused = decision('refused', { namespace: 'nowhere' });
    await agent.record([refused, decision('second')], keyed('k-2'));
    const before = await used();
    for (const actions of [[decision('first')], [refused, decision('2nd')], [refused, decision('second'), refused]]) {
      const { isError, code, structured, text } = await agent.record(actions, keyed('k-2'));
      expect([isError, code, structured]).toEqual([true, 'idempotency_key_reused', null]);
      expect(text).toMatch(/^idempotency_key_reused: /);
    }
    // A call of which nothing was recorded has not used its key.
    await agent.record([refused], keyed('k-3'));
    expect((await agent.record([decision('x')], keyed('k-3'))).isError).toBe(false);
    expect(await used()).toBe(before + 1);
    const { error } = await agent.record([decision('x')], keyed('k-4'), inMeta('k-5'));
    expect(error).toMatchObject({ code: -32602, data: { issues: [{ path: 'idempotency_key' }] } });
    const spaced = await agent.record([decision('x')], {}, inMeta('two words'));
    expect(spaced.error).toMatchObject({
      code: -32602,
      data: { issues: [{ path: '_meta.counterfoil/idempotencyKey' }] },
    });
    expect(await used()).toBe(before + 1);
  });

  // @covers ACTIONS-RIGHTS
  it('is refused as a whole to an agent that may not write', async () => {
    const reader = await newAgent(people, { scopes: ['memory.read'] });
    const { isError, code, structured } = await reader.record([{ kind: 'wrong' }]);
    expect([isError, code, structured]).toEqual([true, 'insufficient_scope', null]);
  });
});
