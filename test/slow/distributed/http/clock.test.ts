import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realWorld, type World } from '../../../../src/base/world.js';
import { acceptClock } from '../../../../src/maintenance/accept-clock.js';
import { owner } from '../../../http/people.js';
import { signedIn } from '../../../http/person.js';
import { eagerWorld, laterWorld, type Service, startService } from '../../../http/service.js';
import { taskReceipt } from '../../../http/task-receipt.js';
import { preparedStoreAddress, type StoreAddress } from '../../../support/new-store.js';
import { until } from '../../../support/until.js';

const hour = 3_600_000;
const day = 24 * hour;

let [passed, wrong] = [0, 0];
/** A machine on which time has passed, and whose clock is wrong besides. Its workers look at the clock without a pause. */
const later = laterWorld(
  { ...eagerWorld, sleep: (ms, signal) => eagerWorld.sleep(ms === 5000 ? 50 : ms, signal) },
  () => passed,
);
const world: World = { ...later, now: () => new Date(later.now().getTime() + wrong) };

describe('a service whose clock is set', () => {
  let store: StoreAddress;
  let service: Service;
  const settings = { OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password, ANCHOR_INTERVAL: '168h' };
  const start = async () =>
    startService(
      {
        ...settings,
        DATA_DIR: store.directory,
        ...(store.store.kind === 'server' && { DATABASE_URL: store.store.url }),
      },
      world,
    );
  beforeAll(async () => {
    store = await preparedStoreAddress();
    service = await start();
    await (await signedIn(service, owner)).call('PATCH', '/v1/workspace', { publish_task_receipts: true });
    const ended_at = new Date().toISOString();
    const market = { schema: 'counterfoil-market/1', vendor: 'Acme', capability: 'search', sector: 'build' };
    const receipt = taskReceipt({ started_at: ended_at, ended_at, cost_usd: 0.5, market });
    expect((await service.call('POST', '/v1/receipts', receipt)).status).toBe(201);
  });
  beforeEach(() => until(async () => (await ready()).status === 200));
  afterAll(async () => {
    await service.stop();
    await store.remove();
  });

  const ready = () => service.call('GET', '/readyz');
  const write = (content: string) => service.call('POST', '/v1/memories', { content });
  const rows = <R extends Record<string, unknown>>(sql: string) => service.app.database.read((tx) => tx.query<R>(sql));
  const count = async () => (await rows<{ n: number }>('select count(*)::int as n from entries'))[0]?.n;
  /** An append of a worker that began before the clock was set may end behind it. */
  const countAtRest = async (): Promise<number | undefined> => {
    const [found] = [await count(), await realWorld.sleep(300)];
    return found === (await count()) ? found : countAtRest();
  };
  const closes = async () => (await rows<{ day: string }>('select day from closes')).length;
  const settledMs = async () => (await rows<{ ms: number }>('select ms from settled_time'))[0]?.ms ?? 0;
  const metric = async () =>
    (await service.call('GET', '/metrics')).text.match(/^counterfoil_clock_in_doubt (.)$/m)?.[1];
  const newestMs = async () =>
    Date.parse((await rows<{ at: string }>('select max(recorded_at) as at from receipts'))[0]?.at ?? '');

  it.each([hour, -hour, 400 * day, -day])('by %i ms records and closes nothing until it is set right', async (step) => {
    const known = (await write(`known before ${step}`)).json.memory_id;
    const before = await countAtRest();
    const [closed, settled] = [await closes(), await settledMs()];
    wrong = step;
    const refused = await write(`while it is wrong by ${step}`);
    expect([refused.status, refused.json.error.code]).toEqual([503, 'not_ready']);
    const { json, status } = await ready();
    expect([status, json.status]).toEqual([503, 'not_ready']);
    const times = /it shows (\S+), and without that it would show (\S+)\. Nothing is recorded/.exec(json.missing[0]);
    expect(Date.parse(times?.[1] ?? '') - Date.parse(times?.[2] ?? '')).toBeCloseTo(step, -3);
    expect(service.logged.join('')).toContain('The clock was set while the service ran');
    await until(async () => (await metric()) === '1');
    // What was known is still read.
    expect((await service.call('GET', `/v1/memories/${known}`)).status).toBe(200);
    // The workers look at the clock without a pause.
    await realWorld.sleep(600);
    expect([await count(), await closes()]).toEqual([before, closed]);
    expect(await settledMs()).toBeLessThan(settled + 120_000);
    wrong = 0;
    await until(async () => (await ready()).status === 200);
    const written = await write(`after it was wrong by ${step}`);
    expect(written.status).toBe(202);
    expect(Math.abs((await newestMs()) - world.now().getTime())).toBeLessThan(60_000);
    await until(async () => (await metric()) === '0');
  });

  it('continues with a clock that was accepted', async () => {
    wrong = 3 * day;
    expect((await ready()).status).toBe(503);
    const { text } = await acceptClock(service.app.database, world)([], () => undefined);
    expect(text).toContain('The clock is accepted');
    await until(async () => (await ready()).status === 200);
    expect((await write('after it was accepted')).status).toBe(202);
  });

  it('waits at a start more than a day after the newest entry, and not when it is shown that the clock is right', async () => {
    await service.app.close();
    passed += 3 * day;
    service = await start();
    const before = await count();
    const refused = await write('after a long pause');
    expect([refused.status, refused.json.error.code]).toEqual([503, 'not_ready']);
    expect((await ready()).json.missing[0]).toContain('more than a day after the newest entry of this store');
    await realWorld.sleep(300);
    expect(await count()).toBe(before);
    const warns = store.store.kind === 'server';
    await until(
      async () => (await ready()).json.warnings.join().includes('minutes ahead of that of the database') === warns,
    );
    wrong = 0;
    await until(async () => (await ready()).status === 200);
    expect((await write('with a clock that was set right')).status).toBe(202);
  });
});

it('a store that no one has used is started again after any time', async () => {
  const store = await preparedStoreAddress();
  const env = {
    DATA_DIR: store.directory,
    BOOTSTRAP_API_KEY: '',
    ...(store.store.kind === 'server' && { DATABASE_URL: store.store.url }),
  };
  const first = await startService(env, world);
  const again = await first.app.close().then(() => {
    passed += 40 * day;
    return startService(env, world);
  });
  expect((await again.call('GET', '/readyz')).status).toBe(200);
  await again.stop();
  await store.remove();
});
