import { describe, expect, it } from 'vitest';
import type { Stated } from '../../../src/commands/record-decision.js';
import type { Row } from '../../../src/database/database.js';
import { parseVerifierKey } from '../../../src/verifier/note.js';
import { verifyBundle } from '../../../src/verifier/verify.js';
import { code, usePeople } from '../../http/people.js';
import type { Reply } from '../../http/service.js';
import { aDecision, aHandoff, someAgent } from '../../support/decisions.js';
import { stores } from '../../support/stores.js';

describe.each(stores)('decisions and handoffs on %s', (store) => {
  const people = usePeople({ ANCHOR_INTERVAL: '168h' });
  const call = (method: string, path: string) => people.service().call(method, path);
  const erase = (id: string, role = 'owner') => people.as(role).call('DELETE', `/v1/receipts/${id}/private`);
  const record = (stated: Stated, agentId?: string) => {
    const { workspaceId, namespaceId } = people.first();
    return people.admin().decision(workspaceId, stated.namespace ?? namespaceId, stated, agentId);
  };
  const listed = async (query: string): Promise<string[]> =>
    (await call('GET', `/v1/receipts?${query}`)).json.data.map((one: { id: string }) => one.id);

  // @covers DECISION-READ
  it('are shown with their text: one, and in lists by kind, agent and time', async () => {
    const { namespaceId: namespace_id } = people.first();
    const { receipt_id: decision, receipt_hash } = await record(aDecision, 'one agent');
    const { receipt_id: handoff } = await record(aHandoff, 'another agent');
    const { json } = await call('GET', `/v1/receipts/${decision}`);
    expect(json).toMatchObject({
      id: decision,
      receipt_id: decision,
      kind: 'decision',
      hash: receipt_hash,
      actor: { type: 'agent_key', agent_id: 'one agent', via: 'mcp' },
      body: { namespace_id, refs: aDecision.refs },
      private_erased: false,
      decision: { ...aDecision.text, refs: aDecision.refs },
      anchor_state: 'pending',
    });
    const { json: shown } = await call('GET', `/v1/receipts/${handoff}`);
    expect(shown.handoff).toEqual({ ...aHandoff.text, to_agent: someAgent, refs: [] });
    const { json: list } = await call('GET', '/v1/receipts?kind=handoff');
    expect(list.data).toEqual([shown]);
    expect(await listed('kind=decision')).toEqual([decision]);
    expect(await listed('agent=another%20agent')).toEqual([handoff]);
    expect(await listed(`kind=decision&until=${json.recorded_at}`)).toEqual([]);
    expect(await listed(`kind=decision&since=${json.recorded_at}`)).toEqual([decision]);
    const { json: trace } = await call('GET', `/v1/receipts/${decision}/trace`);
    expect(trace).toEqual({ data: [{ receipt: json, children: [] }], truncated: false });
  });

  // @covers DECISION-READ DECISION-READ-SCOPE
  it('are for all who reach the namespace, and for no one else', async () => {
    const namespace = await people.namespaceNamed(`night desk ${store}`);
    const { receipt_id: id } = await record({ ...aDecision, namespace });
    const { json: erased } = await erase((await record({ ...aDecision, namespace })).receipt_id);
    const { key: near } = await people.newKey({ scopes: ['memory.read'], namespace_ids: [namespace] });
    const { key: far } = await people.newKey({ namespace_ids: [people.first().namespaceId] });
    const { key: other } = await people.admin().workspace();
    const as = (key: string, path: string) => people.withKey(key, 'GET', `/v1/receipts${path}`);
    expect((await as(near, `/${id}`)).json.decision.summary).toBe(aDecision.text.summary);
    expect((await people.as('reader').call('GET', `/v1/receipts/${id}`)).json.decision.summary).toBe('Refund it.');
    expect((await as(near, '?kind=receipt.private_erased')).json.data).toHaveLength(1);
    for (const kind of ['decision', 'receipt.private_erased']) {
      const ids = (await as(far, `?kind=${kind}`)).json.data.map((one: { id: string }) => one.id);
      expect(ids).not.toContain(kind === 'decision' ? id : erased.receipt_id);
    }
    for (const path of [`/${id}`, `/${id}/proof`, `/${erased.receipt_id}`]) {
      expect(code(await as(far, path))).toEqual([403, 'namespace_out_of_scope']);
      expect(code(await as(other, path))).toEqual([404, 'receipt_not_found']);
    }
  });

  const sql = <R extends Row>(text: string, params: readonly string[] = []) =>
    people.service().app.database.read((tx) => tx.query<R>(text, params));

  /** All rows of all tables as text. Bytes are hex there. */
  async function everyRow(): Promise<string> {
    const tables = await sql<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const rows = await Promise.all(
      tables.map(({ name }) => sql<{ row: string }>(`select t::text as row from ${name} t`)),
    );
    return rows.flatMap((some) => some.map(({ row }) => row)).join('\n');
  }

  const verified = async (bundle: Reply) => {
    const { json } = await call('GET', '/v1/ledger/keys');
    const keys = json.data.map((key: { verifier_key: string }) => parseVerifierKey(key.verifier_key));
    const { receipt, claims } = verifyBundle(Buffer.from(bundle.text), { keys });
    return {
      text: receipt?.decision?.private_text,
      states: Object.fromEntries(claims.map((one) => [one.name, one.state])),
    };
  };

  const secret = 'zebra at midnight';
  const secrets = [
    { ...aDecision, text: { ...aDecision.text, summary: secret } },
    { ...aHandoff, text: { ...aHandoff.text, summary: secret } },
  ];
  // @covers DECISION-ERASE DECISION-BUNDLE
  it.each(secrets)('lose text and salt by an erasure, and still verify: a $kind', async (stated) => {
    const { receipt_id: id } = await record(stated);
    const [{ salt } = { salt: new Uint8Array() }] = await sql<{ salt: Uint8Array }>(
      'select salt from vault where receipt_id = $1',
      [id],
    );
    const traces = [secret, Buffer.from(salt).toString('hex')];
    const found = async () => {
      const rows = await everyRow();
      return traces.filter((text) => rows.includes(text));
    };
    expect(await found()).toEqual(traces);
    const bundle = await call('GET', `/v1/receipts/${id}/proof`);
    const before = await verified(bundle);
    expect(before.text).toContain(secret);
    const used = (await call('GET', '/v1/usage')).json.actions.used;

    const erased = await erase(id, 'admin');
    expect([erased.status, erased.json]).toEqual([
      200,
      { id, private_erased: true, receipt_id: expect.stringMatching(/^rcp_[0-9a-f]{32}$/) },
    ]);
    expect((await erase(id)).json).toEqual(erased.json);
    expect(await found()).toEqual([]);
    expect((await call('GET', '/v1/usage')).json.actions.used).toBe(used);
    const { json } = await call('GET', `/v1/receipts/${id}`);
    expect(json.private_erased).toBe(true);
    const { refs } = stated;
    expect(json[stated.kind]).toEqual(stated.kind === 'decision' ? { refs } : { to_agent: someAgent, refs });
    const after = await call('GET', `/v1/receipts/${id}/proof`);
    expect(after.json).not.toHaveProperty('disclosed');
    for (const [proof, content] of [
      [bundle, 'verified'],
      [after, 'absent'],
    ] as const) {
      expect((await verified(proof)).states).toMatchObject({ entry: 'verified', checkpoint: 'verified', content });
    }
    expect((await verified(after)).text).toBeNull();
  });

  // @covers DECISION-ERASE
  it('are erased by owners and admins who are signed in only', async () => {
    const { receipt_id: id } = await record(aDecision);
    expect(code(await call('DELETE', `/v1/receipts/${id}/private`))).toEqual([403, 'user_session_required']);
    for (const role of ['member', 'reader']) expect(code(await erase(id, role))).toEqual([403, 'admin_required']);
    const { json } = await people.as('owner').call('GET', '/v1/receipts?kind=namespace.created');
    expect(code(await erase(json.data[0].id))).toEqual([404, 'receipt_not_found']);
  });

  // @covers DECISION-ALTERED
  it('are not shown with a text that was altered or removed in the database', async () => {
    const [altered, removed] = [await record(aDecision), await record(aHandoff)];
    await people.service().app.database.transaction(async (tx) => {
      await tx.query(`update vault set content = '{"summary":"forged"}' where receipt_id = $1`, [altered.receipt_id]);
      await tx.query('delete from vault where receipt_id = $1', [removed.receipt_id]);
    });
    for (const { receipt_id: id } of [altered, removed]) {
      expect(code(await call('GET', `/v1/receipts/${id}`))).toEqual([500, 'internal_error']);
      expect((await call('GET', `/v1/receipts/${id}/proof`)).text).not.toContain('forged');
      expect(await listed(`receipt_id=${id}`)).toEqual([]);
    }
  });
});
