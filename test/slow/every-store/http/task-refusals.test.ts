import { describe, expect, it } from 'vitest';
import { code, usePeople } from '../../../http/people.js';
import { startService } from '../../../http/service.js';
import { taskReceipt } from '../../../http/task-receipt.js';
import { stores } from '../../../support/stores.js';

const rules = { pause_all: false, sensitive: 'redact', ask_owner: [] };

describe.each(stores)('task receipts on %s', () => {
  const people = usePeople();
  const actions = async () => (await people.service().call('GET', '/v1/usage')).json.actions.used;

  // @covers TASK-ORDER TASK-PAUSED TASK-PLAN TASK-SENSITIVE TASK-CONFLICT ERR-server_assigned_field ERR-invalid_receipt ERR-receipt_too_large
  it('are refused in the order that the interface names', async () => {
    const { workspaceId, namespaceId } = people.first();
    const known = taskReceipt();
    await people.service().call('POST', '/v1/receipts', known);
    const unbound = await people.admin().key(workspaceId, { namespaceIds: [] });
    const reading = await people.admin().key(workspaceId, { scopes: ['memory.read'], namespaceIds: [] });
    const bound = await people.admin().key(workspaceId, { scopes: ['memory.write'], namespaceIds: [namespaceId] });
    const conflict = { ...known, status: 'error' };
    const sensitive = taskReceipt({ task_summary: 'Wrote to ada@example.org' });
    const wrong = taskReceipt({ hash: 'a', status: 'done' });
    const large = taskReceipt({ more: 'x'.repeat(65_536) });
    const as = (key: string, ...receipts: unknown[]) =>
      people.withKey(key, 'POST', '/v1/receipts', receipts.length === 0 ? '{' : { receipts });
    const all = [sensitive, conflict, wrong, large];
    expect(code(await as('ak_unknown'))).toEqual([401, 'unauthorized']);
    expect(code(await as(reading))).toEqual([403, 'insufficient_scope']);
    expect(code(await as(unbound))).toEqual([403, 'key_has_no_namespaces']);
    expect(code(await people.as('reader').call('POST', '/v1/receipts', '{'))).toEqual([403, 'read_only']);
    expect(code(await as(bound))).toEqual([400, 'invalid_json']);
    const tooLarge = await as(bound, ...all);
    expect(code(tooLarge)).toEqual([413, 'receipt_too_large']);
    expect(tooLarge.json.error.details).toMatchObject({ index: 3, limit: 65_536 });
    await people.as('owner').call('PUT', '/v1/rules', { ...rules, pause_all: true, sensitive: 'reject' });
    await people.admin().provision(workspaceId, 'free');
    await people.admin().act(workspaceId, 10_000 - (await actions()));
    const assigned = await as(bound, ...all.slice(0, 3));
    expect(code(assigned)).toEqual([400, 'server_assigned_field']);
    expect(assigned.json.error.details).toMatchObject({ index: 2, issues: [{ path: 'hash' }] });
    const invalid = await as(bound, sensitive, conflict, { ...wrong, hash: undefined });
    expect(code(invalid)).toEqual([400, 'invalid_receipt']);
    expect(invalid.json.error.details).toMatchObject({ index: 2, issues: [{ path: 'status' }] });
    expect(code(await as(bound, sensitive, conflict))).toEqual([423, 'tenant_paused']);
    await people.as('owner').call('PUT', '/v1/rules', { ...rules, sensitive: 'reject' });
    const full = await as(bound, sensitive, conflict);
    expect([full.status, full.json.error]).toEqual([402, 'plan_action_limit']);
    expect((await as(bound, known)).status).toBe(200);
    await people.admin().provision(workspaceId, 'enterprise');
    const rejected = await as(bound, sensitive, conflict);
    expect(code(rejected)).toEqual([400, 'content_rejected']);
    expect(rejected.json.error.details).toMatchObject({ kinds: { email: 1 }, index: 0 });
    await people.as('owner').call('PUT', '/v1/rules', rules);
    const conflicting = await as(bound, sensitive, conflict);
    expect(code(conflicting)).toEqual([409, 'receipt_conflict']);
    expect(conflicting.json.error.details).toMatchObject({ index: 1, receipt_id: known.receipt_id });
    expect((await as(bound, sensitive)).status).toBe(201);
  });
});

// @covers TASK-BUDGET
it('of a workspace have a budget of their own, and wrong keys count for their address', async () => {
  const service = await startService({ RATE_LIMITS: 'on' });
  const all = await Promise.all(Array.from({ length: 600 }, () => service.call('POST', '/v1/receipts', '{}')));
  expect(all.filter(({ status }) => status !== 400)).toEqual([]);
  const over = await service.call('POST', '/v1/receipts', '{}');
  expect([...code(over), over.json.error.details.retry_after_seconds > 0]).toEqual([429, 'rate_limited', true]);
  expect((await service.call('GET', '/v1/receipts')).status).toBe(200);
  const wrong = () => service.call('POST', '/v1/receipts', '{}', { authorization: 'Bearer ak_wrong' });
  const refused = await Promise.all(Array.from({ length: 299 }, wrong));
  expect(refused.filter(({ status }) => status !== 401)).toEqual([]);
  expect(code(await wrong())).toEqual([429, 'rate_limited']);
  expect(code(await service.call('GET', '/v1/receipts'))).toEqual([429, 'rate_limited']);
  await service.stop();
});
