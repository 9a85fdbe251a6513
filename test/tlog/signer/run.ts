import { becomeHeir, handOver, takeOver, toTakeOver } from '../../../src/tlog/hand-over.js';
import { renew, type SigningParts } from '../../../src/tlog/signing.js';
import { standingOf } from '../../../src/tlog/turn.js';
import { createDirectory, type Directory } from './directory.js';
import { createRandom, createScheduler } from './scheduler.js';
import { type Rule, signSizes, signTurns } from './sign.js';
import { createStore, type ModelStore } from './store.js';

export interface RunOptions {
  readonly seed: number;
  readonly directories: number;
  readonly rule: Rule;
}

export interface RunResult {
  readonly signatures: number;
  readonly forked: boolean;
  /** Everything that a killed process had done last, and how often. */
  readonly kills: ReadonlyMap<string, number>;
}

interface Process {
  readonly directory: Directory;
  running: boolean;
  heir: string | null;
}

const steps = 300;
const dumpCount = 4;

/**
 * Processes that write, sign, stop, are killed and started at random, each with a directory of its own, on one store that is dumped
 * and restored at random, also below running processes. Keys are copied to other directories, without the record.
 */
export async function randomRun({ seed, directories, rule }: RunOptions): Promise<RunResult> {
  const random = createRandom(seed);
  const scheduler = createScheduler();
  const store = createStore(scheduler.step);
  const published = createPublished(store);
  const processes = Array.from({ length: directories }, (_, at): Process => {
    const directory = createDirectory({ ...scheduler, random, isFirst: at === 0, sign: published.add });
    return { directory, running: at === 0, heir: null };
  });
  const kills = new Map<string, number>();
  let dumps = [store.dump()];

  const isIdle = (process: Process) => scheduler.waiting().every(({ owner }) => owner !== process);
  const oneOf = (which: (process: Process) => boolean) => random.of(processes.filter(which));
  const partsOf = ({ directory: { keys } }: Process): SigningParts => ({ keys, chain: store.chain });
  const isReady = (process: Process) => process.running && isIdle(process);

  function kill(process: Process): void {
    for (const { last } of scheduler.kill(process)) kills.set(last, (kills.get(last) ?? 0) + 1);
    process.directory.locked = false;
    process.running = false;
  }

  async function watch(process: Process): Promise<void> {
    process.heir = await becomeHeir(partsOf(process));
    if (process.heir !== null) store.register(process.heir, true);
  }

  async function stop(process: Process): Promise<void> {
    if (process.heir !== null) store.register(process.heir, false);
    // A dump may bring back the row of an heir that is gone.
    await handOver(partsOf(process), async () => random.of(store.heirs()) ?? null).catch(() => undefined);
    process.running = false;
  }

  /** An operator does it with a store that has all that was signed, in place of a directory that is lost. */
  async function operatorTakesOver(process: Process): Promise<void> {
    const found = await toTakeOver(partsOf(process));
    if (found === null || !published.isIn()) return;
    const named = store.named();
    for (const other of processes) {
      if (standingOf(other.directory.record, named) === 'without') continue;
      kill(other);
      other.directory.record = null;
    }
    // No one goes back to a history that was given up before.
    dumps = dumps.filter(({ hash }) => store.isPast(hash));
    await takeOver(partsOf(process), found);
  }

  const events: readonly (() => unknown)[] = [
    () => store.write(),
    () => {
      dumps = [...dumps.slice(1 - dumpCount), store.dump()];
    },
    () => {
      if (random.chance(0.15)) store.restore(random.of(dumps) ?? store.dump());
    },
    () => {
      const process = random.of(processes);
      if (process) kill(process);
    },
    () => {
      // A new machine, with a copy of the keys.
      const process = oneOf((one) => !one.running);
      if (process && random.chance(0.2)) process.directory.record = null;
    },
  ];
  /** Everything that a process does, besides signing. */
  const actions: readonly (() => Promise<void> | undefined)[] = [
    () => {
      const process = oneOf((one) => !one.running);
      if (!process) return;
      process.running = true;
      const begin = () => renew(partsOf(process)).catch(() => undefined);
      return scheduler.start(process, () => begin().then(() => watch(process)));
    },
    () => {
      const process = oneOf(isReady);
      return process && scheduler.start(process, () => stop(process));
    },
    () => {
      const process = oneOf(isReady);
      return process && scheduler.start(process, () => watch(process));
    },
    () => {
      const process = oneOf(isIdle);
      return process && random.chance(0.3) ? scheduler.start(process, () => operatorTakesOver(process)) : undefined;
    },
  ];
  const simpleActions: typeof actions = [
    async () => {
      const process = oneOf(isIdle);
      if (process) process.running = !process.running;
    },
  ];

  for (let at = 0; at < steps && !published.forked(); at += 1) {
    const task = random.of(scheduler.waiting().filter(({ resume }) => resume !== null));
    const signer = oneOf(isReady);
    if (task && random.chance(0.75)) await scheduler.resume(task);
    else if (signer && random.chance(0.5)) {
      const sign = rule === 'turns' ? signTurns : signSizes;
      await scheduler.start(signer, () => sign(partsOf(signer), store));
    } else if (random.chance(0.5)) random.of(events)?.();
    else await random.of(rule === 'turns' ? actions : simpleActions)?.();
  }
  return { signatures: published.count(), forked: published.forked(), kills };
}

/** The trees that were signed, as outsiders see them: each must be a beginning of all larger ones. */
function createPublished(store: ModelStore) {
  let longest: readonly string[] = [];
  let count = 0;
  let forked = false;
  return {
    add(root: string): void {
      const leaves = store.leavesOf(root);
      count += 1;
      forked ||= leaves.some((leaf, at) => at < longest.length && longest[at] !== leaf);
      if (leaves.length > longest.length) longest = leaves;
    },
    /** Whether the store has all that was signed. */
    isIn: () => longest.every((leaf, at) => store.leaves()[at] === leaf),
    count: () => count,
    forked: () => forked,
  };
}
