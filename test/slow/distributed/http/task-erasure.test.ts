import { describe, expect, it } from 'vitest';
import type { Row } from '../../../../src/database/database.js';
import { parseVerifierKey } from '../../../../src/verifier/note.js';
import { verifyBundle } from '../../../../src/verifier/verify.js';
import { code, usePeople } from '../../../http/people.js';
import type { Reply } from '../../../http/service.js';
import { taskReceipt } from '../../../http/task-receipt.js';
import { stores } from '../../../support/stores.js';

describe.each(stores)('the erasure of a private text on %s', () => {
  const people = usePeople({ ANCHOR_INTERVAL: '168h' });
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    people.service().call(method, path, body, headers);
  const at = (id: string, rest = '') => `/v1/receipts/${encodeURIComponent(id)}${rest}`;
  const erase = (id: string, role = 'owner') => people.as(role).call('DELETE', at(id, '/private'));
  const sql = <R extends Row>(text: string, params: readonly string[] = []) =>
    people.service().app.database.read((tx) => tx.query<R>(text, params));
  const secret = 'zebra crossing at midnight';
  const submit = async (more: object = {}, headers = {}) => {
    const sent = taskReceipt({ task_summary: secret, secretive: { [secret]: 1 }, ...more });
    const reply = await call('POST', '/v1/receipts', sent, headers);
    return { sent, reply, id: String(reply.json.data?.[0].id) };
  };
  const verified = async (bundle: Reply) => {
    const { json } = await call('GET', '/v1/ledger/keys');
    const keys = json.data.map((key: { verifier_key: string }) => parseVerifierKey(key.verifier_key));
    const { receipt, claims } = verifyBundle(Buffer.from(bundle.text), { keys });
    return { task: receipt?.task, states: Object.fromEntries(claims.map(({ name, state }) => [name, state])) };
  };

  /** All rows of all tables as text. Bytes are hex there. */
  async function everyRow(): Promise<string> {
    const tables = await sql<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      for (const { row } of await sql<{ row: string }>(`select t::text as row from ${name} t`)) texts.push(row);
    }
    return texts.join('\n');
  }

  // @covers TASK-ERASE TASK-ERASE-AGAIN TASK-ERASE-VAULT TASK-BUNDLE-ERASED
  it('destroys text and salt, and the receipt and its bundles still verify', async () => {
    const { sent, id } = await submit({ tokens: { input: 1, reasoning: 7 } }, { 'idempotency-key': 'once' });
    const [{ salt = new Uint8Array() } = {}] = await sql<{ salt: Uint8Array }>(
      'select salt from vault where receipt_id = $1',
      [id],
    );
    const bytes = Buffer.from(salt);
    expect(bytes.length).toBe(32);
    const traces = [secret, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
    const found = async () => {
      const rows = await everyRow();
      return traces.filter((text) => rows.includes(text));
    };
    expect(await found()).toEqual(traces.slice(0, 2));
    const bundle = await call('GET', at(id, '/proof'));
    expect(bundle.json.disclosed).toMatchObject({ salt: bytes.toString('base64'), metadata: null, source: null });
    const before = await verified(bundle);
    expect(before.task?.private_text).toContain(secret);
    const used = (await call('GET', '/v1/usage')).json.actions.used;

    const erased = await erase(sent.receipt_id);
    expect([erased.status, erased.json]).toEqual([
      200,
      { id, private_erased: true, receipt_id: expect.stringMatching(/^rcp_[0-9a-f]{32}$/) },
    ]);
    expect(await found()).toEqual([]);
    expect((await call('GET', '/v1/usage')).json.actions.used).toBe(used);
    const { json: entry } = await call('GET', at(erased.json.receipt_id));
    expect(entry).toMatchObject({ kind: 'receipt.private_erased', body: { erased_receipt_id: id } });

    const again = await erase(id);
    expect([again.status, again.json]).toEqual([200, erased.json]);
    const { json: list } = await call('GET', '/v1/receipts?kind=receipt.private_erased');
    expect(list.data.map((one: { id: string }) => one.id)).toEqual([erased.json.receipt_id]);

    const named = Object.fromEntries(
      Object.entries(sent).filter(([name]) => name !== 'task_summary' && name !== 'secretive'),
    );
    const { json: shown } = await call('GET', at(id));
    expect(shown).toMatchObject({ private_erased: true, receipt_id: sent.receipt_id });
    expect(shown.task).toEqual({ ...named, tokens: { input: 1 } });
    const after = await call('GET', at(id, '/proof'));
    expect(after.json).not.toHaveProperty('disclosed');
    for (const [proof, content] of [
      [bundle, 'verified'],
      [after, 'absent'],
    ] as const) {
      const { states, task } = await verified(proof);
      expect(states).toMatchObject({ entry: 'verified', inclusion: 'verified', checkpoint: 'verified', content });
      expect(task).toMatchObject({ receipt_id: sent.receipt_id, has_private_text: true });
    }
    expect((await verified(after)).task?.private_text).toBeNull();
    // The route for people who trust the service says the same.
    for (const [proof, text] of [
      [bundle, expect.stringContaining(secret)],
      [after, null],
    ] as const) {
      const { json: report } = await call('POST', '/v1/receipts/verify', proof.text);
      expect(report.receipt.task).toMatchObject({ receipt_id: sent.receipt_id, private_text: text });
    }
  });

  // @covers TASK-ERASE-RESUBMITTED
  it('is not undone by the same receipt, which is a duplicate as long as its named members are equal', async () => {
    const { sent, id } = await submit();
    await erase(id);
    for (const body of [sent, { ...sent, task_summary: 'another summary' }]) {
      const again = await call('POST', '/v1/receipts', body);
      expect([again.status, again.json.data[0].duplicate, again.json.data[0].id]).toEqual([200, true, id]);
    }
    expect(code(await call('POST', '/v1/receipts', { ...sent, status: 'error' }))).toEqual([409, 'receipt_conflict']);
    expect((await call('GET', at(id))).json).toMatchObject({ private_erased: true });
    expect(await everyRow()).not.toContain('another summary');
  });

  // @covers TASK-ERASE-WHO
  it('is for owners and admins who are signed in, and for task receipts only', async () => {
    const { id } = await submit();
    expect(code(await call('DELETE', at(id, '/private')))).toEqual([403, 'user_session_required']);
    expect(code(await erase(id, 'member'))).toEqual([403, 'admin_required']);
    expect(code(await erase(id, 'reader'))).toEqual([403, 'admin_required']);
    expect(code(await erase(id, 'none'))).toEqual([403, 'workspace_role_required']);
    expect(code(await erase('nothing'))).toEqual([404, 'receipt_not_found']);
    const { json } = await people.as('owner').call('GET', '/v1/receipts?kind=workspace.created');
    expect(code(await erase(json.data[0].id))).toEqual([404, 'receipt_not_found']);
    const { key } = await people.admin().workspace();
    const theirs = await people.withKey(key, 'POST', '/v1/receipts', taskReceipt({ receipt_id: 'theirs' }));
    for (const other of ['theirs', theirs.json.data[0].id]) {
      expect(code(await erase(other))).toEqual([404, 'receipt_not_found']);
    }
    // While all agents are paused people may still erase.
    await people.as('owner').call('PUT', '/v1/rules', { pause_all: true, sensitive: 'redact', ask_owner: [] });
    expect((await erase(id, 'admin')).status).toBe(200);
    await people.as('owner').call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [] });
  });

  it('happens once when it is requested many times at once', async () => {
    const { id } = await submit();
    const answers = await Promise.all(Array.from({ length: 10 }, () => erase(id)));
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.receipt_id}`)).size).toBe(1);
  });

  // @covers TASK-READ-ALTERED
  it('does not hide that a stored text was altered or removed in the database', async () => {
    const [altered, removed] = [await submit(), await submit()];
    const { database } = people.service().app;
    await database.transaction(async (tx) => {
      await tx.query(`update vault set content = '{"task_summary":"forged"}' where receipt_id = $1`, [altered.id]);
      await tx.query('delete from vault where receipt_id = $1', [removed.id]);
    });
    for (const { id } of [altered, removed]) {
      for (const rest of ['', '/proof']) {
        const reply = await call('GET', at(id, rest));
        expect(reply.text).not.toContain('forged');
        if (rest === '') expect(code(reply)).toEqual([500, 'internal_error']);
      }
      const { json } = await call('GET', `/v1/receipts?receipt_id=${id}`);
      expect(json.data).toEqual([]);
    }
  });
});
