import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportOf, runEconomy } from '../../../ops/bench/economy/economy.js';
import { administration } from '../../http/keys.js';
import { apiKey, type Service, startService } from '../../http/service.js';

const owner = { email: 'owner@example.org', password: 'a password of the owner' };
let service: Service;
beforeAll(async () => {
  service = await startService({ OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password });
});
afterAll(() => service.stop());

it('an economy of agents is recorded without refusals, and again as duplicates', async () => {
  const { workspaceId } = await administration(service).first();
  const members = [{ ...owner, id: workspaceId, key: apiKey }];
  const sizes = { seed: 3, receipts: 1500, workspaces: 1, days: 6, untilMs: Date.now() - 3_600_000 };
  const how = { clients: 4, batch: 100, linked: 2, wrong: 0, live: 1, rate: 20, publish: true };
  const origin = service.app.server.listeningOrigin;
  const first = await runEconomy(origin, members, { ...sizes, ...how });
  expect(first.history).toMatchObject({ recorded: 1500, duplicates: 0, refusals: new Map() });
  expect(first.live).toMatchObject({ recorded: 20, refusals: new Map() });
  expect(reportOf(first)).toContain('Refusals: none');
  const again = await runEconomy(origin, members, { ...sizes, ...how, linked: 0, live: 0, wrong: 1 });
  expect(again.history).toMatchObject({ recorded: 0, duplicates: 1500 });
  expect([...again.history.refusals.keys()]).toEqual(['invalid_receipt']);
});
