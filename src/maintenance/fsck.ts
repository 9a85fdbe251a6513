import { orphanChecks } from '../../projections/all.js';
import { jobColumnFaults } from '../../projections/ingest/check.js';
import { collectFaults, type Faults, type OnFault } from '../base/faults.js';
import type { Database } from '../database/database.js';
import { type ChainCheck, chainsAfter, checkChain } from '../ledger/check/chain.js';
import { orphanRows } from '../ledger/check/orphans.js';
import {
  collectLost,
  createLostContent,
  type LostContent,
  type LostText,
  openPending,
} from '../ledger/check/pending.js';
import { collectUnusable, type Unusable } from '../ledger/check/unusable.js';
import { countEntries } from '../ledger/entries.js';
import { checkStreams } from '../ledger/eventstore/check.js';
import type { Streams } from '../ledger/eventstore/streams.js';
import { checkLog } from '../tlog/check/log.js';
import type { KeyStore } from '../tlog/signer.js';
import { type EasiestTarget, mainChain } from '../verifier/bitcoin.js';
import { compareTables, comparing } from './compare.js';
import { buildTogether, type Rebuildable } from './rebuildable.js';

interface Checked {
  readonly entries: number;
  readonly chains: number;
  /**
   * A line for each text that is lost, then one for each fault: a sentence that names the workspace and entry, or the table and
   * row. Of each kind the first 100 are named. Null when there is none.
   */
  readonly faults: string | null;
  /** How many faults there are, also those that are not named. */
  readonly faultCount: number;
}

/** `label` names the part being checked: the ledger, the trees, then each read model. Counts are entries; for trees, leaves. */
export type OnLabelledProgress = (label: string, done: number, total: number) => void;

const chainsPerPage = 1000;

export interface CheckParts {
  readonly onProgress: OnLabelledProgress;
  /** The place where the signer remembers its last signature, which is compared with the store. */
  readonly signer?: Pick<KeyStore, 'place' | 'record'>;
  /** The lowest difficulty of a block that is accepted as a timestamp; by default the limit of Bitcoin itself. */
  readonly easiest?: EasiestTarget;
  /** The streams that hold the ledger, when the database does not. */
  readonly streams?: { readonly streams: Streams; readonly prefix: string };
}

/** The parts of a check in progress. */
interface Check {
  readonly database: Database;
  readonly models: readonly Rebuildable[];
  readonly faults: Faults;
  readonly unusable: Unusable;
  readonly onProgress: OnLabelledProgress;
}

/**
 * Checks everything that is stored against the bytes of the ledger: chains, vault, trees, the public log, read models,
 * jobs. It continues after a fault, and leaves what is not as it was recorded out of what it derives. Runs beside writers in
 * batches of bounded memory, and checks each chain up to the head it had when the check came to it.
 */
export async function fsck(database: Database, models: readonly Rebuildable[], parts: CheckParts): Promise<Checked> {
  const faults = collectFaults();
  const check: Check = { database, models, faults, unusable: collectUnusable(), onProgress: parts.onProgress };
  const lost = createLostContent();
  const others = checkBeside(check);
  const counts = await checkFromLedger(check, parts, lost);
  await others.end();
  const lines = [lost.summary(), faults.lines()].flatMap((line) => line ?? []);
  return {
    ...counts,
    faults: lines.length === 0 ? null : lines.join('\n'),
    faultCount: lost.count() + faults.count(),
  };
}

/** Checks what follows from the ledger, in this order. */
async function checkFromLedger(
  check: Check,
  { signer, easiest = mainChain, streams }: CheckParts,
  lost: LostContent,
): Promise<{ entries: number; chains: number }> {
  const { database, faults, onProgress } = check;
  const counts = await checkLedger(check, lost);
  if (streams) await faults.attempt('streams', () => checkAllStreams(check, streams));
  await faults.attempt('orphan rows', () => database.transaction((tx) => orphanRows(tx, faults.found)));
  const onLeaves = (done: number, ofAll: number) => onProgress('trees', done, ofAll);
  // The log is checked before the read models, because a fault in the log explains missing rows of read models better.
  await faults.attempt('trees', () => checkLog({ database, signer: signer ?? null, easiest, onLeaves, faults }));
  await faults.attempt('read models', () => checkLedgerModels(check));
  // Jobs are checked after the read models of the ledger, because an orphan row of a memory explains its missing job.
  await faults.attempt('jobs', () => checkProgress(database, faults.found));
  return counts;
}

/**
 * Begins the checks of the models that are compared with the texts and need nothing of the ledger: they compute while its check waits for
 * the database, and the other way round. What they find is taken at the end, and only then their progress is shown.
 */
function checkBeside(check: Check): { end(): Promise<void> } {
  const faults = collectFaults();
  let isShown = false;
  let reached: Parameters<OnLabelledProgress> | undefined;
  const onProgress: OnLabelledProgress = (...progress) => {
    reached = progress;
    if (isShown) check.onProgress(...progress);
  };
  const ended = checkOtherModels({ ...check, faults, onProgress }).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  return {
    async end() {
      isShown = true;
      if (reached) check.onProgress(...reached);
      const failed = await ended;
      check.faults.take(faults);
      await check.faults.attempt('search', async () => {
        if (failed) throw failed.error;
      });
    },
  };
}

async function checkAllStreams(
  { database, faults, onProgress }: Check,
  streams: NonNullable<CheckParts['streams']>,
): Promise<void> {
  const total = await database.read(countEntries);
  let compared = 0;
  const onEntries = (count: number) => {
    compared += count;
    onProgress('streams', compared, Math.max(total, compared));
  };
  await checkStreams({ database, ...streams, onEntries, found: faults.found });
}

/** Checks the read models that are built from entries only: copies of all are built in one pass, and compared one by one. */
async function checkLedgerModels({ database, models, faults, unusable, onProgress }: Check): Promise<void> {
  const { found } = faults;
  const built: Rebuildable[] = [];
  for (const model of models.filter(({ projection }) => projection !== null)) {
    if (await isOfVersion(database, model, found)) built.push(model);
  }
  const [first] = built;
  if (!first) return;
  const leftOut = unusable.leftOut();
  if (leftOut === null) {
    return found('read models', 'The read models were not compared with the ledger, because too much of it is faulty.');
  }
  const projections = built.flatMap(({ projection }) => projection ?? []);
  let entries = 0;
  // Building takes most of the time and is reported under the name of the first model. Comparing the other models is quick.
  const build = buildTogether(database, projections, { schema: 'check_ledger', leftOut }, (done, total) => {
    entries = done;
    onProgress(first.name, done, total);
  });
  await comparing(build, async (copy) => {
    for (const { name, tables } of built) {
      if (name !== first.name) onProgress(name, entries, entries);
      await compareTables(copy, tables, found);
    }
  });
}

async function checkOtherModels({ database, models, faults, onProgress }: Check): Promise<void> {
  for (const model of models.filter(({ projection }) => projection === null)) {
    await faults.attempt(model.name, async () => {
      if (!(await isOfVersion(database, model, faults.found))) return;
      await model.check(database, faults.found, (done, total) => onProgress(model.name, done, total));
    });
  }
}

async function checkProgress(database: Database, found: OnFault): Promise<void> {
  for (const check of orphanChecks) await database.transaction((tx) => check(tx, found));
  await jobColumnFaults(database, found);
}

/**
 * The texts that `fsck` names as lost: the first ones, up to `most`.
 * @throws Error with a sentence when the ledger has other faults, because then an entry may be missing that deletes one of them
 */
export async function lostTexts(
  database: Database,
  most: number,
  onProgress: OnLabelledProgress,
): Promise<readonly LostText[]> {
  const faults = collectFaults();
  const lost = collectLost(most);
  await checkLedger({ database, faults, unusable: collectUnusable(), onProgress }, lost);
  const [first] = faults.lines()?.split('\n') ?? [];
  if (first !== undefined) {
    throw new Error(`The ledger has faults, so nothing was deleted: ${first} Run: counterfoil fsck`);
  }
  return lost.texts;
}

async function checkLedger(
  check: Omit<Check, 'models'>,
  lost: Pick<LostContent, 'take'>,
): Promise<{ entries: number; chains: number }> {
  const { database, faults, onProgress } = check;
  const total = await database.transaction(countEntries);
  const pending = await openPending(database);
  const counts = { entries: 0, chains: 0 };
  const onEntries = (count: number) => {
    counts.entries += count;
    onProgress('ledger', counts.entries, Math.max(total, counts.entries));
  };
  const ofChain: ChainCheck = { ...check, pending, lost, onEntries, found: faults.found };
  try {
    let after: string | null = null;
    for (;;) {
      const page = await database.transaction((tx) => chainsAfter(tx, after, chainsPerPage));
      for (const row of page) {
        counts.chains += 1;
        onEntries(0);
        await faults.attempt('chains', () => checkChain(ofChain, row));
      }
      after = page.at(-1)?.chain ?? null;
      if (after === null) return counts;
    }
  } finally {
    await pending.close();
  }
}

/** Whether a read model is of the version of this program; a model that is not is reported and cannot be compared. */
async function isOfVersion(database: Database, { name, version }: Rebuildable, found: OnFault): Promise<boolean> {
  const [held] = await database.transaction((tx) =>
    tx.query<{ version: number }>('select version from projections where name = $1', [name]),
  );
  if (held?.version === version) return true;
  const what = held ? `is of version ${held.version} and not ${version}` : 'was never built';
  found('read models', `The read model ${name} ${what}. Run: counterfoil replay ${name}`);
  return false;
}
