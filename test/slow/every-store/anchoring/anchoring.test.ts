import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../../src/domain/caller.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { easyTarget } from '../../../anchoring/bitcoin.js';
import { checkBundle } from '../../../anchoring/bundles.js';
import { type Installation, newInstallation, type Process } from '../../../anchoring/installation.js';
import { models } from '../../../maintenance/store.js';

let installation: Installation;
let service: Process;
let caller: Caller;

beforeAll(async () => {
  installation = await newInstallation();
  service = await installation.start();
});
afterAll(() => installation.close());
/** Each test begins with everything in Bitcoin but one new workspace. */
beforeEach(async () => {
  await settle();
  caller = await installation.store.openWorkspace();
  seen = (await installation.kinds()).length;
});

let seen = 0;
const newKinds = async () => (await installation.kinds()).slice(seen);

async function settle(): Promise<void> {
  await round();
  mine();
  await round();
}

/** Everything that the steps of a round did. */
async function round(process = service): Promise<string[]> {
  const reports = await process.round();
  return reports?.flatMap(({ done }) => done) ?? ['another process is at it'];
}

const failures = () => Object.fromEntries(service.failing());

/** The calendars put what they have into a block and see it confirmed. */
function mine(): void {
  for (const calendar of installation.calendars) calendar.broadcast();
  installation.chain.mine(6);
}

describe('a round', () => {
  it('brings a write into Bitcoin, and records every step once', async () => {
    const receipt = await installation.write(caller, 'first');
    expect(await installation.anchorOf(caller, receipt)).toEqual({ state: 'pending', ots: null });
    expect(await round()).toEqual(['signed', 'submitted']);
    expect((await installation.anchorOf(caller, receipt)).state).toBe('submitted');
    expect(await round()).toEqual([]);
    mine();
    expect(await round()).toEqual(['attested', 'confirmed']);
    const { state, ots } = await installation.anchorOf(caller, receipt);
    expect(state).toBe('confirmed');
    expect(ots).toEqual((await installation.latest())?.ots);
    expect(await round()).toEqual([]);
    const anchored = ['anchor.submitted', 'anchor.attested', 'anchor.confirmed'];
    expect(await newKinds()).toEqual(['log.heads_added', 'log.turn', 'checkpoint.signed', ...anchored]);
    expect(failures()).toEqual({});
    expect(service.warnings).toEqual([]);
    const checked = await fsck(installation.store.database, models, {
      onProgress: () => undefined,
      easiest: () => easyTarget,
    });
    expect(checked.faults).toBeNull();
  });

  it('does and asks nothing when nothing has changed', async () => {
    await settle();
    const before = installation.calendars.flatMap(({ requests }) => requests);
    const kinds = await installation.kinds();
    for (let again = 0; again < 3; again += 1) expect(await round()).toEqual([]);
    expect(installation.calendars.flatMap(({ requests }) => requests)).toEqual(before);
    expect(await installation.kinds()).toEqual(kinds);
  });

  it('puts the heads of all workspaces under one checkpoint', async () => {
    const others = await Promise.all(Array.from({ length: 3 }, () => installation.store.openWorkspace()));
    const receipts = await Promise.all(others.map((other, i) => installation.write(other, `of workspace ${i}`)));
    expect(await round()).toEqual(['signed', 'submitted']);
    mine();
    await round();
    for (const [i, other] of others.entries()) {
      const bundle = await service.bundle(other, receipts[i] ?? '');
      expect(checkBundle(bundle)).toMatchObject({ anchors: [{ of: 'its own', state: 'verified' }] });
    }
    expect((await newKinds()).filter((kind) => kind === 'checkpoint.signed')).toHaveLength(1);
  });

  it('continues with one checkpoint while another one waits', async () => {
    const before = installation.submissions();
    await round();
    await installation.write(caller, 'second');
    expect(await round()).toEqual(['signed', 'submitted']);
    mine();
    expect(await round()).toEqual(['attested', 'attested', 'confirmed', 'confirmed']);
    expect(installation.submissions()).toBe(before + 2);
  });

  it('takes more than a thousand changed heads', { timeout: 300_000 }, async () => {
    const callers = [];
    for (let made = 0; made < 1100; made += 1) callers.push(await installation.store.openWorkspace());
    const began = performance.now();
    expect(await round()).toEqual(['signed', 'submitted']);
    console.log(`a checkpoint over ${callers.length} changed heads: ${Math.round(performance.now() - began)} ms`);
    expect((await installation.latest())?.size).toBeGreaterThan(1 + 1 + 1100);
    expect((await newKinds()).filter((kind) => kind === 'log.heads_added')).toHaveLength(2);
    expect(await round()).toEqual([]);
  });
});

describe('a bundle', () => {
  it('carries what is known of its checkpoint, at each state', async () => {
    const receipt = await installation.write(caller, 'first');
    const check = async () => checkBundle(await service.bundle(caller, receipt))?.anchors;
    expect(await check()).toEqual([]);
    await round();
    expect(await check()).toEqual([{ of: 'its own', state: 'not checked' }]);
    mine();
    const blind = await installation.start({ bitcoin: null });
    await service.stop();
    expect(await round(blind)).toEqual(['attested']);
    expect(await check()).toEqual([{ of: 'its own', state: 'not checked' }]);
    await blind.stop();
    service = await installation.start();
    expect(await round()).toEqual(['confirmed']);
    expect(await check()).toEqual([{ of: 'its own', state: 'verified' }]);
  });

  it('carries the later checkpoint that was anchored when its own never was', async () => {
    const receipt = await installation.write(caller, 'first');
    // Signed on demand and never submitted: the round finds a newer one.
    expect(checkBundle(await service.bundle(caller, receipt))?.anchors).toEqual([]);
    for (let i = 0; i < 5; i += 1) await installation.write(await installation.store.openWorkspace(), `other ${i}`);
    await round();
    expect(checkBundle(await service.bundle(caller, receipt))?.anchors).toEqual([]);
    mine();
    await round();
    const anchors = [{ of: 'a later one', state: 'verified' }];
    expect(checkBundle(await service.bundle(caller, receipt))?.anchors).toEqual(anchors);
    expect((await installation.anchorOf(caller, receipt)).state).toBe('confirmed');
  });

  it('covers what was written while a checkpoint was being made', async () => {
    const receipts = await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const receipt = await installation.write(caller, `memory ${i}`);
        return { receipt, bundle: await service.bundle(caller, receipt) };
      }),
    );
    for (const { bundle } of receipts) expect(checkBundle(bundle)).not.toBeNull();
  });

  it('is made while the worker is in a round', async () => {
    const receipt = await installation.write(caller, 'first');
    const [done, bundle] = await Promise.all([round(), service.bundle(caller, receipt)]);
    expect(done).toContain('submitted');
    expect(checkBundle(bundle)).not.toBeNull();
    expect(service.warnings).toEqual([]);
  });
});
