import type { Logger } from 'pino';
import type { ClockHealth } from '../adapters/metrics.js';
import type { World } from '../base/world.js';
import { unusedCredentials } from '../commands/first-credentials.js';
import type { Database, OpenedDatabase } from '../database/database.js';
import { sentenceOfDoubt, stepMs, watchClock } from '../domain/clock.js';
import { newestEntryMs } from '../ledger/entries.js';
import { readSettled } from '../ledger/settled.js';
import { type Role, roles } from '../settings/roles.js';
import { createWorker, type Worker } from './loop.js';

interface ClockParts {
  readonly world: World;
  readonly log: Logger;
  readonly store: Pick<OpenedDatabase, 'read' | 'serverClock'>;
}

interface WatchedClock {
  /** The same world, which knows when its clock is in doubt. */
  readonly world: World;
  readonly workers: readonly (readonly [Role, Worker])[];
  health(): ClockHealth;
}

const napMs = 1000;
/** How often the clock is compared with that of the server. */
const compareMs = 60_000;

/**
 * Watches the clock of the machine: an entry or a close with a wrong time cannot be taken back.
 * @param accept whether the clock is believed at the start, however old the store is
 */
export async function watchingClock({ world, log, store }: ClockParts, accept: boolean): Promise<WatchedClock> {
  const { watch, doubt } = watched(world, accept ? 0 : await newestOf(store), reporting(log));
  const difference = createDifference(world, store);
  const job = {
    name: 'clock',
    napMs,
    async work() {
      if (doubt() !== null) watch.learn(await store.read(readSettled));
      await difference.measure();
      return false;
    },
  };
  // A worker of the plain world, because other workers do nothing while the clock is in doubt.
  const worker = createWorker({ world, log }, job);
  return {
    world: { ...world, doubt },
    workers: roles.map((role) => [role, worker] as const),
    health: () => ({ inDoubt: doubt() !== null, warnings: [...behind(watch.behindMs()), ...difference.warnings()] }),
  };
}

/** The world of a process that works on a store for a short time only. */
export async function worldOnStore(world: World, store: Pick<Database, 'read'>): Promise<World> {
  const { doubt } = watched(world, await newestOf(store), () => undefined);
  return { ...world, doubt };
}

function watched(world: World, newestMs: number, report: (doubt: string | null) => void) {
  const watch = watchClock(() => ({ clock: world.now().getTime(), uptime: world.uptime() }), newestMs);
  const doubt = () => {
    const found = watch.look();
    const sentence = found && sentenceOfDoubt(found);
    report(sentence);
    return sentence;
  };
  return { watch, doubt };
}

/**
 * The newest time of a store that was in use; 0 of another one. A process with the role http settles the ledger every minute, so a quiet
 * store has a time too.
 */
async function newestOf({ read }: Pick<Database, 'read'>): Promise<number> {
  if ((await unusedCredentials({ read })) !== null) return 0;
  return Math.max(...(await read((tx) => Promise.all([readSettled(tx), newestEntryMs(tx)]))));
}

/** @returns a function that logs a doubt when it begins and when it has ended */
function reporting(log: Logger): (doubt: string | null) => void {
  let was = false;
  return (doubt) => {
    if (doubt !== null && !was) log.error(doubt);
    if (doubt === null && was) log.info('The clock is believed again.');
    was = doubt !== null;
  };
}

const minutes = (ms: number): number => Math.round(ms / 60_000);

const behind = (ms: number): readonly string[] =>
  ms <= stepMs
    ? []
    : [
        `The newest entry is ${minutes(ms)} minutes after the time that the clock shows. Until then new entries have its time. ` +
          'If the clock is wrong, set it right.',
      ];

/** How far the clock is from that of the server which holds the store. */
function createDifference(world: World, { serverClock }: Pick<OpenedDatabase, 'serverClock'>) {
  let differenceMs = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  return {
    async measure() {
      if (serverClock === null || world.uptime() - measuredAt < compareMs) return;
      measuredAt = world.uptime();
      differenceMs = world.now().getTime() - (await serverClock());
    },
    warnings: () =>
      Math.abs(differenceMs) <= stepMs
        ? []
        : [
            `The clock is ${minutes(Math.abs(differenceMs))} minutes ${differenceMs > 0 ? 'ahead of' : 'behind'} that of the database. ` +
              'Set the wrong one right: no day of the market closes before both have reached its end.',
          ],
  };
}
