import { afterAll, beforeAll, expect } from 'vitest';
import { logChain } from '../../contracts/log.js';
import { fsck } from '../../src/maintenance/fsck.js';
import { onlyOwner } from '../../src/workers/lease.js';
import { easyTarget } from '../anchoring/bitcoin.js';
import { type Installation, newInstallation, type Process } from '../anchoring/installation.js';
import { model } from '../maintenance/store.js';
import { repeats } from '../support/repeats.js';
import { stores } from '../support/stores.js';
import { type Faulty, type Flavour, faultyDatabase, type Plan } from './faulty-database.js';

let installation: Installation;
let faulty: Faulty;

/** For the tests of one file. */
export function useAnchoring(): void {
  beforeAll(() => renew());
  afterAll(() => installation.close());
}

/** The store that has to be checked grows with each turn, so that an installation is thrown away after this number. */
const turns = 20;

async function renew(): Promise<void> {
  await installation?.close();
  installation = await newInstallation();
  faulty = faultyDatabase(installation.store.database);
}

const startProcess = (): Promise<Process> => installation.start({ owner: onlyOwner, database: faulty.database });

/** A write goes all the way into Bitcoin, in two rounds. What breaks in them breaks. @returns the calls that were made */
async function anchorOne(process: Process, plan: Plan | null): Promise<number> {
  await installation.store.openWorkspace();
  faulty.arm(plan);
  await process.round().catch(() => undefined);
  mine();
  await process.round().catch(() => undefined);
  const calls = faulty.calls();
  faulty.arm(null);
  return calls;
}

function mine(): void {
  for (const calendar of installation.calendars) calendar.broadcast();
  installation.chain.mine(6);
  // As much time as the blocks take, so that those of earlier turns are too deep to be looked at again.
  installation.wait(1);
}

/** Nothing is in the log twice, what is there is whole, and everything ends in Bitcoin. */
async function check(): Promise<void> {
  const entries = await installation.store.sql<{ kind: string; size: string; heads: string }>(
    `select e ->> 'kind' as kind, e #>> '{body,size}' as size, e #>> '{body,heads}' as heads
       from (select convert_from(bytes, 'UTF8')::json as e from entries where chain = $1) parsed`,
    [logChain],
  );
  const once = entries.filter(({ kind }) => kind.startsWith('anchor.') || kind === 'checkpoint.signed');
  const names = once.map(({ kind, size }) => `${kind} ${size}`);
  expect(new Set(names).size).toBe(names.length);
  const heads = entries.flatMap((entry) => (entry.kind === 'log.heads_added' ? JSON.parse(entry.heads) : []));
  expect(new Set(heads.map((head: { leaf: string }) => head.leaf)).size).toBe(heads.length);
  expect((await installation.latest())?.anchor).toBe('confirmed');
  const checked = await fsck(installation.store.database, [model('log')], {
    onProgress: () => undefined,
    easiest: () => easyTarget,
  });
  expect(checked.faults).toBeNull();
}

/** As after a restart: another process continues with what the broken one has left. */
async function proceed(): Promise<void> {
  const process = await startProcess();
  await process.round();
  mine();
  await process.round();
  expect(Object.fromEntries(process.failing())).toEqual({});
  await process.stop();
}

export const flavours: readonly Flavour[] = ['failed', 'failed but persisted'];
export const [where] = stores;

/** A short run breaks one call in this number, others in each test; CALL_STEP=1 breaks all of them. */
const step = repeats('CALL_STEP');

/** Breaks `count` calls from each call on that is looked at, some of them among the first that a log ever makes. */
export async function breakEach(count: number, flavour: Flavour, after: (submissions: number) => void): Promise<void> {
  await anchorOne(await startProcess(), null);
  const calls = await anchorOne(await startProcess(), null);
  expect(calls).toBeGreaterThan(30);
  const first = step === 1 ? 1 : 1 + ((count > 1 ? 2 : 0) + flavours.indexOf(flavour));
  for (let from = first, turn = 0; from <= calls; from += step, turn += 1) {
    if (turn % turns === 0) await renew();
    const before = installation.submissions();
    const process = await startProcess();
    await anchorOne(process, { from, count, flavour });
    await process.stop();
    await proceed();
    await check();
    after(installation.submissions() - before);
  }
}
