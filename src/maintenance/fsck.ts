import { orphanChecks } from '../../projections/all.js';
import { jobColumnFault } from '../../projections/ingest/check.js';
import type { Database, Transaction } from '../adapters/database/database.js';
import { type ChainCheck, chainsAfter, checkChain } from '../ledger/check/chain.js';
import { createLostContent, type LostContent } from '../ledger/check/lost.js';
import { orphanRow } from '../ledger/check/orphans.js';
import { openPending } from '../ledger/check/pending.js';
import { countEntries } from '../ledger/entries.js';
import { streamsFault } from '../ledger/eventstore/check.js';
import type { Streams } from '../ledger/eventstore/streams.js';
import { checkLog } from '../tlog/check/log.js';
import type { KeyStore } from '../tlog/signer.js';
import { type EasiestTarget, mainChain } from '../verifier/bitcoin.js';
import { compareTables, comparing } from './compare.js';
import { buildTogether, type Rebuildable } from './rebuildable.js';

export interface Checked {
  readonly entries: number;
  readonly chains: number;
  /**
   * The first fault as a sentence that names the workspace and entry, or the table and row; before it a line for each text
   * that is lost. Null when there is neither.
   */
  readonly faults: string | null;
}

/** `label` names the part being checked: the ledger, the trees, then each read model. Counts are entries; for trees, leaves. */
export type OnLabelledProgress = (label: string, done: number, total: number) => void;

const chainsPerPage = 1000;

export interface CheckParts {
  readonly onProgress: OnLabelledProgress;
  /** The place where the signer remembers its last signature, which is compared with the store. */
  readonly signer?: Pick<KeyStore, 'place' | 'lastSigned'>;
  /** The lowest difficulty of a block that is accepted as a timestamp; by default the limit of Bitcoin itself. */
  readonly easiest?: EasiestTarget;
  /** The streams that hold the ledger, when the database does not. */
  readonly streams?: { readonly streams: Streams; readonly prefix: string };
}

/**
 * Checks everything that is stored against the bytes of the ledger: chains, vault, trees, the public log, read models,
 * jobs. Runs beside writers in batches of bounded memory, and checks each chain up to the head it had when the check came to it.
 */
export async function fsck(
  database: Database,
  models: readonly Rebuildable[],
  { onProgress, signer, easiest = mainChain, streams }: CheckParts,
): Promise<Checked> {
  let entries = 0;
  let chains = 0;
  const lost = createLostContent();
  const found = (fault: string | null): Checked => {
    const lines = [lost.summary(), fault].flatMap((line) => line ?? []);
    return { entries, chains, faults: lines.length === 0 ? null : lines.join('\n') };
  };

  const ledgerFault = await checkLedger(database, lost, (count, ofChains, total) => {
    entries += count;
    chains = ofChains;
    onProgress('ledger', entries, Math.max(total, entries));
  });
  if (ledgerFault !== null) return found(ledgerFault);
  if (streams) {
    const streamFault = await checkStreams(database, streams, onProgress);
    if (streamFault !== null) return found(streamFault);
  }
  const orphanFault = await database.transaction(orphanRow);
  if (orphanFault !== null) return found(orphanFault);
  const onLeaves = (done: number, ofAll: number) => onProgress('trees', done, ofAll);
  // The log is checked before the read models, because a fault in the log explains missing rows of read models better.
  const logFault = await checkLog({ database, signer: signer ?? null, easiest, onLeaves });
  if (logFault !== null) return found(logFault);
  const fault =
    (await ledgerModelsFault(database, models, onProgress)) ??
    // Jobs are checked after the read models of the ledger, because an orphan row of a memory explains its missing job. They
    // are checked before the search index, because a missing job explains what is missing in the index.
    (await progressFault(database)) ??
    (await jobColumnFault(database)) ??
    (await otherModelsFault(database, models, onProgress)) ??
    (await progressFault(database));
  return found(fault);
}

async function checkStreams(
  database: Database,
  streams: NonNullable<CheckParts['streams']>,
  onProgress: OnLabelledProgress,
): Promise<string | null> {
  const total = await database.read(countEntries);
  let compared = 0;
  return streamsFault({ database, ...streams }, (count) => {
    compared += count;
    onProgress('streams', compared, Math.max(total, compared));
  });
}

/** Checks the read models that are built from entries only: copies of all are built in one pass, and compared one by one. */
async function ledgerModelsFault(
  database: Database,
  models: readonly Rebuildable[],
  onProgress: OnLabelledProgress,
): Promise<string | null> {
  const ledgerModels = models.filter((model) => model.projection !== null);
  const [first] = ledgerModels;
  if (!first) return null;
  const unbuilt = await database.transaction((tx) => versionFault(tx, first));
  if (unbuilt !== null) return unbuilt;
  const projections = ledgerModels.flatMap(({ projection }) => projection ?? []);
  let entries = 0;
  // Building takes most of the time and is reported under the name of the first model. Comparing the other models is quick.
  const build = buildTogether(database, projections, 'check_ledger', (done, total) => {
    entries = done;
    onProgress(first.name, done, total);
  });
  return comparing(build, async (copy) => {
    for (const model of ledgerModels) {
      if (model !== first) onProgress(model.name, entries, entries);
      const fault =
        (await database.transaction((tx) => versionFault(tx, model))) ?? (await compareTables(copy, model.tables));
      if (fault !== null) return fault;
    }
    return null;
  });
}

async function otherModelsFault(
  database: Database,
  models: readonly Rebuildable[],
  onProgress: OnLabelledProgress,
): Promise<string | null> {
  for (const model of models.filter(({ projection }) => projection === null)) {
    const fault =
      (await database.transaction((tx) => versionFault(tx, model))) ??
      (await model.fault(database, (done, total) => onProgress(model.name, done, total)));
    if (fault !== null) return fault;
  }
  return null;
}

async function progressFault(database: Database): Promise<string | null> {
  for (const check of orphanChecks) {
    const fault = await database.transaction(check);
    if (fault !== null) return fault;
  }
  return null;
}

async function checkLedger(
  database: Database,
  lost: LostContent,
  onEntries: (count: number, chains: number, total: number) => void,
): Promise<string | null> {
  const total = await database.transaction(countEntries);
  const pending = await openPending(database);
  let chains = 0;
  const check: ChainCheck = { database, pending, lost, onEntries: (count) => onEntries(count, chains, total) };
  try {
    let after: string | null = null;
    for (;;) {
      const page = await database.transaction((tx) => chainsAfter(tx, after, chainsPerPage));
      for (const row of page) {
        chains += 1;
        onEntries(0, chains, total);
        const fault = await checkChain(check, row);
        if (fault !== null) return fault;
      }
      after = page.at(-1)?.chain ?? null;
      if (after === null) return null;
    }
  } finally {
    await pending.close();
  }
}

async function versionFault(tx: Transaction, { name, version }: Rebuildable): Promise<string | null> {
  const [held] = await tx.query<{ version: number }>('select version from projections where name = $1', [name]);
  if (held?.version === version) return null;
  const what = held ? `is of version ${held.version} and not ${version}` : 'was never built';
  return `The read model ${name} ${what}. Run: counterfoil replay ${name}`;
}
