import { describe, expect, it } from 'vitest';
import { linkProof } from '../../../../src/domain/identity/proof.js';
import { newHolder } from '../../../domain/identity/holder.js';
import { ask } from '../../../http/ask.js';
import { found } from '../../../http/leaks.js';
import { all, market, receipt, settlement, values } from '../../../http/leaky-receipt.js';
import { usePeople } from '../../../http/people.js';
import { publicPlaces } from '../../../http/public-places.js';
import { apiKey, eagerWorld } from '../../../http/service.js';
import { stores } from '../../../support/stores.js';

describe.each(stores)('no private field of a task receipt leaks on %s', () => {
  const people = usePeople({ LOG_LEVEL: 'debug', ANCHOR_INTERVAL: '168h' }, eagerWorld);
  const origin = () => people.service().app.server.listeningOrigin;
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    ask(origin(), method, path, {
      headers: { authorization: `Bearer ${apiKey}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const submit = (body: unknown, headers = {}) => send('POST', '/v1/receipts', body, headers);
  const rules = (sensitive: string, pause_all = false) =>
    people.as('owner').call('PUT', '/v1/rules', { pause_all, sensitive, ask_owner: [] });
  const inLog = () => found(all, people.service().logged.join('\n'));
  const wholeOf = ({ text, headers }: Awaited<ReturnType<typeof send>>) => `${text}\n${JSON.stringify([...headers])}`;
  let ids: Readonly<Record<string, string>>;

  it('is found by its owner, who has published the receipt', async () => {
    // More than any setting writes.
    people.service().app.server.log.level = 'trace';
    const holder = newHolder('Ed25519');
    const { json: issued } = await send('POST', '/v1/agent-id', { public_key: holder.publicKey, vendor: 'Acme' });
    const { json: asked } = await send('GET', '/v1/agent-id/challenge');
    const message = linkProof(issued.agn_id, asked.challenge, people.first().workspaceId, '@leaky');
    const proof = { challenge: asked.challenge, signature: holder.sign(message) };
    const link = { agent_id: issued.agn_id, handle: '@leaky', proof };
    expect((await people.as('owner').call('POST', '/v1/agents', link)).status).toBe(201);
    const published = await people.as('owner').call('PATCH', '/v1/workspace', { publish_task_receipts: true });
    expect(published.status).toBe(200);
    const recorded = await submit(receipt());
    expect(recorded.status).toBe(201);
    const task_id = recorded.json.data[0].id;
    const shown = await send('GET', `/v1/receipts/${task_id}`);
    // So the search would find each of them.
    expect(found(all, shown.text)).toEqual(Object.keys(values));
    await send('GET', `/v1/receipts/${task_id}/proof`);
    ids = { task_id, agn_id: issued.agn_id, receipt_id: issued.record.provenance.receipt_id, hash: shown.json.hash };
  });

  // @covers TASK-LEAKS-PUBLIC
  it('in any public answer or header', async () => {
    const { agn_id = '', receipt_id = '', task_id = '' } = ids;
    const publicPaths = publicPlaces(agn_id, [receipt_id, task_id, values.receipt_id], Date.now());
    expect(publicPaths.length).toBeGreaterThan(12);
    for (const path of [
      ...publicPaths,
      '/verify',
      '/developers',
      '/developers/task-receipt.v1.schema.json',
      '/nothing',
    ]) {
      const response = await fetch(`${origin()}${path}`, { redirect: 'manual' });
      const whole = `${await response.text()}\n${JSON.stringify([...response.headers])}`;
      expect([
        path,
        found(
          all.filter(({ forms }) => !path.includes(forms[1] ?? '')),
          whole,
        ),
      ]).toEqual([path, []]);
    }
    const known = await send('POST', '/v1/receipts/verify', { receipt_hash: ids.hash }, { authorization: '' });
    expect([known.json.known, found(all, wholeOf(known))]).toEqual([true, []]);
  });

  // @covers TASK-LEAKS-REFUSALS
  it('in any refusal, its headers or its details', async () => {
    const reading = await people.newKey({ scopes: ['memory.read'] });
    const codes = new Set<string>();
    const refused = async (body: unknown, headers: Record<string, string> = {}, path: readonly string[] = []) => {
      const reply = await submit(body, headers);
      expect([body, reply.status >= 400]).toEqual([body, true]);
      codes.add(reply.json.error?.code ?? reply.json.error);
      // A conflict names the id that the client has sent.
      const named = reply.json.error?.code === 'receipt_conflict' ? ['receipt_id'] : path;
      expect([reply.json, found(all, wholeOf(reply))]).toEqual([reply.json, named]);
    };
    const fresh = (more: object = {}) => receipt({ receipt_id: `${values.receipt_id} again`, ...more });
    await refused(receipt(), { authorization: 'Bearer ak_unknown' });
    await refused(receipt(), { authorization: `Bearer ${reading.key}` });
    await refused(JSON.stringify(receipt()).slice(0, -1));
    await refused(`{"a":${'['.repeat(80)}${JSON.stringify(receipt())}${']'.repeat(80)}}`);
    await refused(fresh({ padding: 'x'.repeat(70_000) }));
    await refused(fresh({ declared_scope: Array(257).fill(values['a declared scope']) }));
    await refused(fresh({ declared_scope: [values['a declared scope'].repeat(20)] }));
    await refused(fresh({ id: values.receipt_id }));
    const { model, tool, session_id, invoice_id } = values;
    for (const wrong of [
      { receipt_id: `${values.receipt_id}\u0007` },
      { account_id: values.session_id },
      { agent_handle: values.model },
      { platform: values.model },
      { status: values.model },
      { model: [model] },
      { session_id: { session_id } },
      { trace_id: values.span_id },
      { span_id: values.trace_id },
      { started_at: values.model },
      { ended_at: '2000-01-01T00:00:00Z', task_summary: values.task_summary },
      { task_summary: values.task_summary.repeat(100) },
      { tool_calls: [{ tool, ok: values.tool }] },
      { tool_calls: [{ tool, ok: true, input_hash: `${values.input_hash}0` }] },
      { tokens: { input: values['an unknown member of tokens'] } },
      { cost_usd: values.model },
      { attestations: [values['a member of an attestation']] },
      { attestations: [{ type: 'jws', jws: values['a member of an attestation'] }] },
      { market: { ...market, settlement: { ...settlement, rail: invoice_id } } },
      { market: { ...market, workflow: { ...market.workflow, step: values['workflow.step'].repeat(9) } } },
      { market: { ...market, settlement: { ...settlement, invoice_id: `${invoice_id}\u0000` } } },
      { x: `${values['an unknown member']}\ud800` },
    ]) {
      await refused(fresh(wrong));
    }
    // The path to a fault is made of the names of members.
    const name = 'a name of an unknown member';
    await refused(fresh({ [`${values[name]}\u0000`]: values['an unknown member'] }), {}, [name]);
    await refused({ ...receipt(), status: 'error' });
    await refused({ ...fresh(), market: { ...market, settlement: { ...settlement, status: 'refunded' } } });
    const key = { 'idempotency-key': 'leaks' };
    expect((await submit(fresh({ receipt_id: 'another one', market: undefined }), key)).status).toBe(201);
    await refused(fresh(), key);
    await rules('reject');
    await refused(fresh({ task_summary: `${values.task_summary} ada@example.org` }));
    await rules('redact', true);
    await refused(fresh());
    await rules('redact');
    await people.admin().provision(people.first().workspaceId, 'free');
    const { json: usage } = await send('GET', '/v1/usage');
    await people.admin().act(people.first().workspaceId, 10_000 - usage.actions.used);
    await refused(fresh());
    await people.admin().provision(people.first().workspaceId, 'enterprise');
    expect([...codes].sort()).toEqual([
      'content_rejected',
      'idempotency_key_reused',
      'insufficient_scope',
      'invalid_json',
      'invalid_receipt',
      'plan_action_limit',
      'receipt_conflict',
      'receipt_too_large',
      'server_assigned_field',
      'tenant_paused',
      'unauthorized',
    ]);
  });

  // @covers TASK-LEAKS-LOG TASK-LEAKS-REFUSALS
  it('when the database refuses a row, in the answer or in the log', async () => {
    const { database } = people.service().app;
    const sql = (text: string) => database.transaction((tx) => tx.query(text));
    for (const [at, table] of ['entries', 'vault', 'answers', 'tasks', 'receipts'].entries()) {
      // PostgreSQL describes the row that fails a constraint.
      await sql(`alter table ${table} add constraint broken check (false) not valid`);
      const headers = { 'idempotency-key': `broken-${at}` };
      const reply = await submit(receipt({ receipt_id: `${values.receipt_id} ${at}`, market: undefined }), headers);
      await sql(`alter table ${table} drop constraint broken`);
      expect([table, reply.status, found(all, wholeOf(reply))]).toEqual([table, 503, []]);
    }
    expect(inLog()).toEqual([]);
  });

  // @covers TASK-LEAKS-LOG
  it('in any line of the log, also when it is read, filtered by and erased', async () => {
    for (const id of [ids.task_id, values.receipt_id]) {
      for (const rest of ['', '/trace', '/proof']) {
        expect((await send('GET', `/v1/receipts/${encodeURIComponent(id ?? '')}${rest}`)).status).toBe(200);
      }
    }
    const { trace_id, session_id, receipt_id } = values;
    for (const query of [{ trace: trace_id }, { session: session_id }, { receipt_id }]) {
      expect((await send('GET', `/v1/receipts?${new URLSearchParams(query)}`)).json.data.length).toBeGreaterThan(0);
    }
    const wrong = await send('GET', `/v1/receipts?status=${values.model}&session=${values.session_id}`);
    expect([wrong.status, found(all, wholeOf(wrong))]).toEqual([400, []]);
    const unknown = await send('DELETE', `/v1/receipts/${values.receipt_id}/private`);
    expect([unknown.status, found(all, wholeOf(unknown))]).toEqual([403, []]);
    const erased = await people.as('owner').call('DELETE', `/v1/receipts/${values.receipt_id}/private`);
    expect([erased.status, found(all, erased.text)]).toEqual([200, []]);
    expect(people.service().logged.length).toBeGreaterThan(50);
    expect(inLog()).toEqual([]);
  });
});
