import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logChain } from '../../../../contracts/log.js';
import type { Caller } from '../../../../src/domain/caller.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { easyTarget } from '../../../anchoring/bitcoin.js';
import { checkBundle } from '../../../anchoring/bundles.js';
import { type Installation, newInstallation } from '../../../anchoring/installation.js';
import { model } from '../../../maintenance/store.js';

let installation: Installation;
let callers: readonly Caller[];
beforeAll(async () => {
  installation = await newInstallation();
  callers = await Promise.all([1, 2, 3, 4].map(() => installation.store.openWorkspace()));
});
afterAll(() => installation.close());

function callerOf(turn: number): Caller {
  const caller = callers[turn % callers.length];
  if (!caller) throw new Error('there is no caller');
  return caller;
}

const countOf = async (kind: string) => (await installation.kinds()).filter((one) => one === kind).length;

it('two services that begin a log at once make one key and one log', async () => {
  const services = await Promise.all([installation.start(), installation.start()]);
  await Promise.all(services.map(({ transparencyLog }) => transparencyLog.checkpoint().catch(() => undefined)));
  for (const { transparencyLog } of services)
    expect((await transparencyLog.checkpoint())?.size).toBe(1 + callers.length);
  expect(await countOf('log.key_added')).toBe(1);
  expect(await countOf('checkpoint.signed')).toBe(1);
  await Promise.all(services.map((service) => service.stop()));
});

it('two services alternate by the lease, and nothing is done twice', async () => {
  const services = await Promise.all([installation.start(), installation.start()]);
  for (let turn = 0; turn < 10; turn += 1) {
    await installation.write(callerOf(turn), `turn ${turn}`);
    const rounds = await Promise.all(services.map((service) => service.round()));
    expect(rounds.filter((round) => round === null)).toHaveLength(1);
    // The other one has its turn when the time of the first is up.
    await installation.store.sql(`update leases set until = now() - interval '1 second'`);
  }
  expect(installation.submissions()).toBe(await countOf('anchor.submitted'));
  expect(services.flatMap(({ warnings }) => warnings)).toEqual([]);
  await Promise.all(services.map((service) => service.stop()));
});

it('two services sign on demand at once, and every bundle holds', async () => {
  const services = await Promise.all([installation.start(), installation.start()]);
  for (let turn = 0; turn < 10; turn += 1) {
    const bundles = services.map(async (service, i) => {
      const caller = callerOf(turn + i);
      return service.bundle(caller, await installation.write(caller, `demand ${turn} ${i}`));
    });
    for (const bundle of await Promise.all([...bundles])) expect(checkBundle(bundle)).not.toBeNull();
  }
  expect(services.flatMap(({ warnings }) => warnings)).toEqual([]);
  const leaves = await installation.store.sql('select leaf from log_leaves');
  expect(new Set(leaves.map(({ leaf }) => leaf)).size).toBe(leaves.length);
  const [{ seq = 0 } = {}] = await installation.store.sql<{ seq: number }>(
    'select head_seq as seq from chains where chain = $1',
    [logChain],
  );
  expect((await installation.kinds()).length).toBe(seq);
  const checked = await fsck(installation.store.database, [model('log')], {
    onProgress: () => undefined,
    easiest: () => easyTarget,
  });
  expect(checked.faults).toBeNull();
  await Promise.all(services.map((service) => service.stop()));
});

it('a process without the keys leaves the work to the one that has them, and says what it lacks', async () => {
  const able = await installation.start();
  await able.round();
  await installation.store.sql(`update leases set until = now() - interval '1 second' where name = 'anchoring'`);
  const unable = await installation.start({ keys: join(installation.keys, 'elsewhere') });
  for (let turn = 0; turn < 3; turn += 1) {
    await installation.write(callerOf(turn), `signed by the other ${turn}`);
    const [reported] = (await unable.round()) ?? [];
    expect(reported).toMatchObject({ name: 'checkpoint', failure: expect.stringContaining('signing keys') });
    const before = await installation.latest();
    expect(await able.round()).not.toBeNull();
    expect((await installation.latest())?.size).toBeGreaterThan(before?.size ?? 0);
  }
  expect(able.failing().size).toBe(0);
  expect((await unable.health()).failing.get('checkpoint')).toBe(true);
  await Promise.all([able.stop(), unable.stop()]);
});

it('a checkpoint that no one makes for three intervals is an alarm of every process', async () => {
  const service = await installation.start();
  await service.round();
  await installation.store.sql(
    `update leases set owner = gen_random_uuid(), until = now() + interval '1 hour' where name = 'anchoring'`,
  );
  expect(await service.round()).toBeNull();
  expect((await service.health()).failing.get('checkpoint')).toBe(false);
  await installation.store.sql(`update leases set until = now() - interval '4 hours' where name = 'anchoring done'`);
  expect(await service.round()).toBeNull();
  expect((await service.health()).failing.get('checkpoint')).toBe(true);
  expect(service.warnings.join()).toContain('has made no checkpoint');
  await installation.store.sql(`delete from leases where name = 'anchoring'`);
  expect(await service.round()).not.toBeNull();
  expect((await service.health()).failing.get('checkpoint')).toBe(false);
  await service.stop();
});
