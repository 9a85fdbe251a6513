import { describe, expect, it } from 'vitest';
import { code, usePeople } from '../../http/people.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { stores } from '../../support/stores.js';

describe.each(stores)('reading task receipts on %s', () => {
  const people = usePeople();
  const call = (method: string, path: string, body?: unknown) => people.service().call(method, path, body);
  const at = (id: string, rest = '') => `/v1/receipts/${encodeURIComponent(id)}${rest}`;
  const submit = async (...receipts: readonly object[]) => {
    const { status, json } = await call('POST', '/v1/receipts', { receipts });
    expect(status).toBe(201);
    return json.data.map(({ id }: { id: string }) => id);
  };

  // @covers TASK-READ TASK-READ-UNKNOWN
  it('gives back what was submitted, and what the service has recorded about it', async () => {
    const unknown = '"1":[1.50,1e3,"\\u0061"],"__proto__":{"b":1,"a":2},"tools":{"z":null}';
    const named = taskReceipt({
      model: 'reader-2',
      tool_calls: [{ tool: 'mail.send', ok: true }],
      declared_scope: ['files.*'],
      cost_usd: 0.5,
      attestations: [{ type: 'photo', state: 'mine', more: [1] }],
    });
    const sent = `{${unknown},"task_summary":"Filed","tokens":{"input":3,"reasoning":5.0},${JSON.stringify(named).slice(1)}`;
    const { json: answer } = await call('POST', '/v1/receipts', sent);
    const [recorded] = answer.data;
    const reply = await call('GET', at(recorded.id));
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      id: recorded.id,
      receipt_id: named.receipt_id,
      kind: 'task',
      seq: recorded.seq,
      hash: recorded.hash,
      prev_hash: recorded.prev_hash,
      recorded_at: expect.stringMatching(/Z$/),
      actor: expect.objectContaining({ type: 'key' }),
      task: JSON.parse(sent),
      private_erased: false,
      scope_violations: ['mail.send'],
      attestations: [{ type: 'photo', state: 'not_checked', more: [1] }],
      anchor_state: 'pending',
      anchor_tx: null,
      ots_proof: null,
      erc8004_emitted_at: null,
    });
    for (const text of unknown.split(/,(?="(?:__proto__|tools)")/)) expect(reply.text).toContain(text);
    expect(reply.text).toContain('"reasoning":5.0');
    const { json: list } = await call('GET', '/v1/receipts?kind=task&limit=1');
    expect(list.data).toEqual([reply.json]);
  });

  // @covers TASK-READ-EITHER-ID
  it('finds a receipt by its own id and by that of its client, also when that looks like a path', async () => {
    const ids = [
      'run/1',
      '../verify',
      'a/proof',
      'x?y#z',
      '100%',
      '%2F',
      'a b+c',
      'verify',
      'été 🐈',
      '\u{1f408}'.repeat(128),
    ];
    const own = await submit(...ids.map((receipt_id) => taskReceipt({ receipt_id })));
    for (const [index, id] of ids.entries()) {
      const reply = await call('GET', at(id));
      expect([id, reply.status, reply.json.id, reply.json.receipt_id]).toEqual([id, 200, own[index], id]);
      expect((await call('GET', at(own[index]))).text).toBe(reply.text);
      expect((await call('GET', at(id, '/proof'))).json.entry).toBe(
        (await call('GET', at(own[index], '/proof'))).json.entry,
      );
      expect((await call('GET', at(id, '/trace'))).json.data[0].receipt.id).toBe(own[index]);
    }
    // Clients of HTTP remove such segments from a path.
    const dots = await submit(...['.', '..'].map((receipt_id) => taskReceipt({ receipt_id })));
    for (const [index, id] of ['.', '..'].entries()) {
      const { json } = await call('GET', `/v1/receipts?receipt_id=${encodeURIComponent(id)}`);
      expect(json.data.map((one: { id: string }) => one.id)).toEqual([dots[index]]);
    }
    for (const id of [`${ids[0]}x`, 'nothing', '\u0000', 'rcp_none']) {
      expect([id, code(await call('GET', at(id)))]).toEqual([id, [404, 'receipt_not_found']]);
      expect([id, code(await call('GET', at(id, '/trace')))]).toEqual([id, [404, 'receipt_not_found']]);
    }
  });

  // @covers TASK-READ-OTHER-KINDS
  it('gives receipts of other kinds the same id twice, and lists both sorts together', async () => {
    const { json: memory } = await call('POST', '/v1/memories', { content: 'between two tasks' });
    await submit(taskReceipt());
    const { json: added } = await call('GET', `/v1/memories/${memory.memory_id}`);
    const { json: write } = await call('GET', at(added.receipt_id));
    expect(write).toMatchObject({ id: added.receipt_id, receipt_id: added.receipt_id, kind: 'memory.write', v: 1 });
    const { json } = await call('GET', '/v1/receipts?limit=2');
    expect(json.data.map(({ kind }: { kind: string }) => kind)).toEqual(['task', 'memory.write']);
    expect(json.data[1]).toEqual(write);
    const pages = await call('GET', `/v1/receipts?limit=1&cursor=${json.next_cursor}`);
    expect(code(pages)[1]).toBeNull();
  });

  // @covers TASK-READ-WORKSPACE
  it('shows task receipts to all who may read receipts of the workspace, and to no other workspace', async () => {
    const [id] = await submit(taskReceipt({ receipt_id: 'only ours' }));
    const { workspaceId } = people.first();
    const elsewhere = await people.admin().namespace(workspaceId, 'elsewhere');
    const narrow = await people.admin().key(workspaceId, { scopes: ['memory.read'], namespaceIds: [elsewhere] });
    const unbound = await people.admin().key(workspaceId, { namespaceIds: [] });
    expect((await people.withKey(narrow, 'GET', at(id))).json.id).toBe(id);
    expect((await people.withKey(narrow, 'GET', '/v1/receipts?receipt_id=only%20ours')).json.data[0].id).toBe(id);
    expect((await people.as('reader').call('GET', at('only ours', '/trace'))).json.data[0].receipt.id).toBe(id);
    expect(code(await people.as('none').call('GET', at(id)))).toEqual([403, 'workspace_role_required']);
    expect(code(await people.withKey(unbound, 'GET', at(id)))).toEqual([403, 'key_has_no_namespaces']);
    const { key } = await people.admin().workspace();
    for (const one of [id, 'only ours']) {
      for (const rest of ['', '/proof', '/trace']) {
        expect(code(await people.withKey(key, 'GET', at(one, rest)))).toEqual([404, 'receipt_not_found']);
      }
      const list = await people.withKey(key, 'GET', `/v1/receipts?receipt_id=${encodeURIComponent(one)}`);
      expect(list.json).toEqual({ data: [], next_cursor: null });
    }
    // The same id in another workspace is another receipt.
    await people.withKey(key, 'POST', '/v1/receipts', taskReceipt({ receipt_id: 'only ours', status: 'error' }));
    expect((await people.withKey(key, 'GET', at('only ours'))).json.task.status).toBe('error');
    expect((await call('GET', at('only ours'))).json.task.status).toBe('success');
  });

  // @covers TASK-READ-FILTERS
  it('filters by id, handle, status, session and trace, together with the other filters', async () => {
    const trace = 'a1'.repeat(16);
    const receipts = Array.from({ length: 12 }, (_, at) =>
      taskReceipt({
        agent_handle: at % 2 ? '@odd' : '@even',
        status: at % 3 ? 'success' : 'policy_blocked',
        ...(at % 4 ? { session_id: `session ${at % 4}` } : {}),
        ...(at < 6 ? { trace_id: trace } : {}),
      }),
    );
    const own = await submit(...receipts);
    const found = async (query: string) => {
      const ids: string[] = [];
      for (let cursor = ''; cursor !== 'null'; ) {
        const page = cursor === '' ? '' : `&cursor=${cursor}`;
        const { json } = await call('GET', `/v1/receipts?limit=2&${query}${page}`);
        ids.push(...json.data.map(({ id }: { id: string }) => id));
        cursor = String(json.next_cursor);
      }
      return ids.reverse().map((id) => own.indexOf(id));
    };
    const where = (is: (at: number) => boolean) => own.map((_: string, at: number) => at).filter(is);
    expect(await found('agent=@odd')).toEqual(where((at) => at % 2 === 1));
    expect(await found('status=policy_blocked')).toEqual(where((at) => at % 3 === 0));
    expect(await found('session=session%202')).toEqual(where((at) => at % 4 === 2));
    expect(await found(`trace=${trace}`)).toEqual(where((at) => at < 6));
    expect(await found(`trace=${trace}&agent=@even&status=success&kind=task`)).toEqual([2, 4]);
    expect(await found(`receipt_id=${own[3]}&agent=@odd`)).toEqual([3]);
    expect(await found(`receipt_id=${encodeURIComponent(receipts[3]?.receipt_id ?? '')}`)).toEqual([3]);
    expect(await found(`receipt_id=${own[3]}&agent=@even`)).toEqual([]);
    expect(await found('agent=@odd&kind=memory.write')).toEqual([]);
    expect(await found('agent=@odd&since=2100-01-01T00:00:00Z')).toEqual([]);
    expect(await found('agent=@odd&until=2100-01-01T00:00:00Z&since=2020-01-01T00:00:00Z')).toHaveLength(6);
    expect(await found('session=nothing')).toEqual([]);
    // A cursor belongs to its filters.
    const { json } = await call('GET', '/v1/receipts?agent=@odd&limit=1');
    const other = await call('GET', `/v1/receipts?agent=@even&limit=1&cursor=${json.next_cursor}`);
    expect(code(other)).toEqual([400, 'invalid_cursor']);
  });

  // @covers TASK-READ-FILTERS
  it.each([
    'status=done',
    'status=',
    'status=success&status=error',
    'trace=abc',
    `trace=${'A'.repeat(32)}`,
    'receipt_id=',
    'receipt_id=a%00b',
    'receipt_id=a%0Ab',
    `receipt_id=${'x'.repeat(129)}`,
    'session=a%00b',
    'session=a&session=b',
    'agent=@',
    'agent=@No',
  ])('refuses the wrong filter %s', async (query) => {
    expect(code(await call('GET', `/v1/receipts?${query}`))).toEqual([400, 'invalid_request']);
  });

  // @covers TRACE-TREE TRACE-ORPHANS
  it('shows the receipts of a trace or of a session as a tree', async () => {
    const [trace, span] = ['b2'.repeat(16), (at: number) => String(at).repeat(16)];
    const spanned = (at: number, parent: number | null, more = {}) =>
      taskReceipt({
        trace_id: trace,
        span_id: span(at),
        ...(parent === null ? {} : { parent_span_id: span(parent) }),
        ...more,
      });
    const ids = await submit(
      spanned(2, 1),
      spanned(1, null, { session_id: 's' }),
      spanned(3, 1),
      spanned(4, 3),
      spanned(5, 9),
      taskReceipt({ session_id: 's' }),
    );
    interface Node {
      readonly receipt: { readonly id: string };
      readonly children: readonly Node[];
    }
    const tree = (nodes: readonly Node[]): unknown =>
      nodes.map(({ receipt, children }) => [ids.indexOf(receipt.id), ...tree2(children)]);
    const tree2 = (nodes: readonly Node[]) => [tree(nodes)].flat();
    const traceOf = async (id: string) => {
      const { json } = await call('GET', at(id, '/trace'));
      return [tree(json.data), json.truncated];
    };
    for (const id of ids.slice(0, 5)) expect(await traceOf(id)).toEqual([[[1, [0], [2, [3]]], [4]], false]);
    // A receipt without a trace is shown with its session, whose receipts may have one.
    expect(await traceOf(ids[5])).toEqual([[[1], [5]], false]);
    const [alone] = await submit(taskReceipt());
    const { json: one } = await call('GET', at(alone));
    expect((await call('GET', at(alone, '/trace'))).json).toEqual({
      data: [{ receipt: one, children: [] }],
      truncated: false,
    });
    const { json: list } = await people.as('owner').call('GET', '/v1/receipts?kind=workspace.created&limit=1');
    const created = list.data[0];
    expect((await people.as('owner').call('GET', at(created.id, '/trace'))).json.data).toEqual([
      { receipt: created, children: [] },
    ]);
  });

  // @covers TRACE-LIMIT
  it('shows at most 1,000 receipts of a trace, the oldest', async () => {
    const trace_id = 'c3'.repeat(16);
    const receipts = Array.from({ length: 1001 }, (_, at) =>
      taskReceipt({ trace_id, span_id: at.toString(16).padStart(16, '0'), parent_span_id: 'f'.repeat(16) }),
    );
    const ids: string[] = [];
    for (let from = 0; from < 1000; from += 100) ids.push(...(await submit(...receipts.slice(from, from + 100))));
    expect((await call('GET', at(ids[0] ?? '', '/trace'))).json.truncated).toBe(false);
    const [last] = await submit(...receipts.slice(1000));
    const { json } = await call('GET', at(last, '/trace'));
    expect(json.truncated).toBe(true);
    expect(json.data.map(({ receipt }: { receipt: { id: string } }) => receipt.id)).toEqual(ids);
  });
});
