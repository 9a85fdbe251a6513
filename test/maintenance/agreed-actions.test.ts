import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../http/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const workspaces = async (...args: string[]) =>
  (await service.app.maintenance.get('workspaces')?.(args, () => undefined))?.text ?? '';
const limit = async () => (await service.call('GET', '/v1/usage')).json.actions.limit;

it('the actions that were agreed are the limit of an enterprise workspace, recorded and no stop', async () => {
  const [id = ''] = /^[0-9a-f-]{36}/m.exec(await workspaces('list')) ?? [];
  expect(await limit()).toBeNull();
  expect(await workspaces('set', id, 'actions=1')).toContain('enterprise with 1 actions a month');
  expect(await limit()).toBe(1);
  for (const content of ['one', 'two']) {
    expect((await service.call('POST', '/v1/memories', { content })).status).toBe(202);
  }
  // Another setting leaves the number as it is, and another plan ends it.
  await workspaces('set', id, 'memory-api=on');
  expect(await limit()).toBe(1);
  await expect(workspaces('set', id, 'plan=pro', 'actions=5')).rejects.toThrow('the plan enterprise only');
  for (const wrong of ['0', '-1', '1.5', 'many', '1e9', '9007199254740993']) {
    await expect(workspaces('set', id, `actions=${wrong}`)).rejects.toThrow('whole number');
  }
  expect(await workspaces('set', id, 'plan=pro')).toContain('has the plan pro, and');
  expect(await limit()).toBe(100_000);
  const { json } = await service.call('GET', '/v1/receipts?kind=workspace.provisioned');
  expect(json.data).toHaveLength(3);
});
