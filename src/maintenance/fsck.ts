import { orphanChecks } from '../../projections/all.js';
import type { Database, Transaction } from '../adapters/database/database.js';
import { type ChainCheck, chainsAfter, checkChain } from '../ledger/check/chain.js';
import { orphanRow } from '../ledger/check/orphans.js';
import { openPending } from '../ledger/check/pending.js';
import { countEntries } from '../ledger/entries.js';
import { checkLog } from '../tlog/check/log.js';
import type { KeyStore } from '../tlog/signer.js';
import { type EasiestTarget, mainChain } from '../verifier/bitcoin.js';
import { compareTables, comparing } from './compare.js';
import { buildTogether, type Rebuildable } from './rebuildable.js';

export interface Checked {
  readonly entries: number;
  readonly chains: number;
  /** The first fault as a sentence that names the workspace and entry, or the table and row; null when there is none. */
  readonly faults: string | null;
}

/** `label` is what is being checked: the ledger, the trees, then each read model. Counts are entries, of trees leaves. */
export type OnLabelledProgress = (label: string, done: number, total: number) => void;

const chainsPerPage = 1000;

export interface CheckParts {
  readonly onProgress: OnLabelledProgress;
  /** Where the signer remembers what it has signed last, to be compared with the store. */
  readonly signer?: Pick<KeyStore, 'place' | 'lastSigned'>;
  /** How cheap a block that holds a timestamp may have been; Bitcoin's own difficulty unless said. */
  readonly easiest?: EasiestTarget;
}

/**
 * Checks everything that is stored against the bytes of the ledger: chains, vault, trees, the public log, read models,
 * jobs. Runs beside writers in batches of bounded memory, and checks each chain up to the head it had when the check came to it.
 */
export async function fsck(
  database: Database,
  models: readonly Rebuildable[],
  { onProgress, signer, easiest = mainChain }: CheckParts,
): Promise<Checked> {
  let entries = 0;
  let chains = 0;
  const found = (faults: string | null): Checked => ({ entries, chains, faults });

  const ledgerFault = await checkLedger(database, (count, ofChains, total) => {
    entries += count;
    chains = ofChains;
    onProgress('ledger', entries, Math.max(total, entries));
  });
  if (ledgerFault !== null) return found(ledgerFault);
  const orphanFault = await database.transaction(orphanRow);
  if (orphanFault !== null) return found(orphanFault);
  const onLeaves = (done: number, ofAll: number) => onProgress('trees', done, ofAll);
  // Before the read models: what is signed in the log explains better what is missing from them.
  const logFault = await checkLog({ database, signer: signer ?? null, easiest, onLeaves });
  if (logFault !== null) return found(logFault);
  const fault =
    (await ledgerModelsFault(database, models, onProgress)) ??
    // Between them: a memory that should not be there has no job either, and is the better explanation of the two; but a
    // job that is missing explains what is missing from the index.
    (await progressFault(database)) ??
    (await otherModelsFault(database, models, onProgress)) ??
    (await progressFault(database));
  return found(fault);
}

/** The read models that entries alone lead to: all are built in one pass over the ledger, and compared in their order. */
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
  // The time goes into building all of them, reported under the name of the first; for the rest little is left to do.
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
  onEntries: (count: number, chains: number, total: number) => void,
): Promise<string | null> {
  const total = await database.transaction(countEntries);
  const pending = await openPending(database);
  let chains = 0;
  const check: ChainCheck = { database, pending, onEntries: (count) => onEntries(count, chains, total) };
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
