import { erasedBy } from '../../../contracts/entries/catalogue.js';
import type { Deposit, Recorded } from '../../../contracts/entries/recorded.js';
import { type Database, StoreClosed, type Transaction } from '../../adapters/database/database.js';
import { forgetAnswers, keepAnswers } from '../answers.js';
import { genesisHead, type Head } from '../chain.js';
import { noteErased } from '../erased.js';
import { type Appended, type Commit, type Ledger, NotAppended, type Stored } from '../ledger.js';
import { readEntry } from '../read-entry.js';
import { depositOf, vaultColumns } from '../vault-row.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
/** Bytes as PostgreSQL reads them inside a JSON document of rows. */
const bytea = (bytes: Uint8Array): string => `\\x${hex(bytes)}`;

/**
 * The ledger in the database: entries, vault and the read models that must never lag are one transaction, so a crash at
 * any statement leaves either all of an append or nothing of it.
 * @param project applies entries to those read models inside the append's transaction.
 */
export function databaseLedger(
  database: Database,
  project: (tx: Transaction, recorded: readonly Recorded[]) => Promise<void>,
): Ledger {
  return {
    begin: (chain, genesis) => database.transaction((tx) => begin(tx, chain, genesis)),
    async append(chain, expected, commits) {
      let committing = false;
      try {
        await database.transaction(async (tx) => {
          await append(tx, project, chain, expected, commits);
          committing = true;
        });
        return { outcome: 'appended' };
      } catch (error) {
        if (error instanceof HeadHasMoved) {
          return database.transaction((tx) => afterMove(tx, chain, expected, commits));
        }
        // A transaction whose end was never asked for is never committed.
        if (committing || error instanceof StoreClosed) throw error;
        throw new NotAppended('the append failed before its commit', { cause: error });
      }
    },
    read: (chain, afterSeq, limit) => database.transaction((tx) => readEntries(tx, chain, afterSeq, limit)),
    chains: () => database.transaction((tx) => listChains(tx)),
  };
}

async function begin(tx: Transaction, chain: string, genesis: Uint8Array): Promise<void> {
  const { seq, hash } = genesisHead(genesis);
  await tx.query(
    `insert into chains (chain, genesis, head_seq, head_hash) values ($1, $2, $3, decode($4, 'hex')) on conflict do nothing`,
    [chain, genesis, seq, hash],
  );
}

/** Where a chain ends. @throws when there is no such chain */
export async function readHead(tx: Transaction, chain: string, lock: '' | 'for update' = ''): Promise<Head> {
  const [row] = await tx.query<{ head_seq: number; head_hash: Uint8Array; recorded_at: string | null }>(
    `select head_seq, head_hash, (select convert_from(bytes, 'UTF8')::json ->> 'recorded_at' from entries e
        where e.chain = c.chain and e.seq = c.head_seq) as recorded_at
      from chains c where chain = $1 ${lock}`,
    [chain],
  );
  if (!row) throw new Error(`there is no chain ${chain}`);
  return { seq: row.head_seq, hash: hex(row.head_hash), recordedAt: row.recorded_at ?? undefined };
}

class HeadHasMoved extends Error {}

async function append(
  tx: Transaction,
  project: (tx: Transaction, recorded: readonly Recorded[]) => Promise<void>,
  chain: string,
  expected: Head,
  commits: readonly Commit[],
): Promise<void> {
  const linked = commits.flatMap((commit) => commit.entries);
  const last = linked.at(-1);
  const end = last ? { seq: last.entry.seq, hash: last.hash } : expected;
  const deposits = commits.flatMap((commit) => commit.deposits);
  const byReceipt = new Map(deposits.map((deposit) => [deposit.receiptId, deposit]));
  // Moving the head comes first and locks its row, so appends to one chain follow one another. The rest is asked for before
  // it is known that the head has moved, which saves waiting; when it has not, all of it is rolled back.
  const moved = moveHead(tx, chain, expected, end);
  const written = Promise.all([
    insertEntries(tx, chain, commits),
    insertDeposits(tx, deposits),
    keepAnswers(
      tx,
      chain,
      commits.flatMap(({ answer }) => answer ?? []),
    ),
    project(
      tx,
      linked.map(({ entry, hash }) => ({ entry, hash, deposit: byReceipt.get(entry.receipt_id) ?? null })),
    ),
  ]);
  written.catch(() => undefined);
  if (!(await moved)) throw new HeadHasMoved();
  await written;
  const erase = [...new Set(linked.flatMap(({ entry }) => erasedBy(entry)))];
  if (erase.length > 0) {
    await Promise.all([
      tx.query('delete from vault where receipt_id = any($1::text[])', [erase]),
      forgetAnswers(tx, chain, erase),
      noteErased(tx, erase),
    ]);
  }
}

/**
 * Whether it was this very append that has moved the head, in an earlier try. The head's row is locked before the look at
 * the command ids, so an earlier try has either committed by now or never will.
 */
async function afterMove(
  tx: Transaction,
  chain: string,
  expected: Head,
  commits: readonly Commit[],
): Promise<Appended> {
  const head = await readHead(tx, chain, 'for update');
  return (await appendedBefore(tx, chain, expected, commits)) ? { outcome: 'appended' } : { outcome: 'conflict', head };
}

/** @returns false when the head is not where it was expected; nothing has changed then */
async function moveHead(tx: Transaction, chain: string, from: Head, to: Head): Promise<boolean> {
  const rows = await tx.query(
    `update chains set head_seq = $4, head_hash = decode($5, 'hex')
      where chain = $1 and head_seq = $2 and head_hash = decode($3, 'hex') returning 1`,
    [chain, from.seq, from.hash, to.seq, to.hash],
  );
  return rows.length > 0;
}

/**
 * All commits of an append are written together behind the head they expected, so the one entry there tells of all.
 */
async function appendedBefore(
  tx: Transaction,
  chain: string,
  expected: Head,
  commits: readonly Commit[],
): Promise<boolean> {
  const rows = await tx.query('select 1 from entries where chain = $1 and seq = $2 and command_id = any($3::uuid[])', [
    chain,
    expected.seq + 1,
    commits.map((commit) => commit.commandId),
  ]);
  return rows.length > 0;
}

async function insertEntries(tx: Transaction, chain: string, commits: readonly Commit[]): Promise<void> {
  const rows = commits.flatMap((commit) =>
    commit.entries.map(({ entry, bytes, hash }) => ({
      chain,
      seq: entry.seq,
      receipt_id: entry.receipt_id,
      command_id: commit.commandId,
      hash: `\\x${hash}`,
      bytes: bytea(bytes),
    })),
  );
  // No "on conflict": a row that is already there means two writers believe in the same place, and one must fail.
  await tx.query('insert into entries select * from json_populate_recordset(null::entries, $1::json)', [
    JSON.stringify(rows),
  ]);
}

async function insertDeposits(tx: Transaction, deposits: readonly Deposit[]): Promise<void> {
  if (deposits.length === 0) return;
  const rows = deposits.map((deposit) => ({
    receipt_id: deposit.receiptId,
    ...vaultColumns(deposit),
    salt: bytea(deposit.salt),
  }));
  await tx.query('insert into vault select * from json_populate_recordset(null::vault, $1::json)', [
    JSON.stringify(rows),
  ]);
}

interface EntryRow {
  [column: string]: unknown;
  entry: string;
  hash: string;
  salt: string | null;
  content: string | null;
  metadata: string | null;
  source: string | null;
  label: string | null;
  others: string | null;
}

/**
 * Entries after `afterSeq` with their bytes, for callers that are already inside a transaction.
 * They come as text, which is two thirds of the time that bytes take on their way out of the database.
 * @throws when the bytes of an entry are no text; `counterfoil fsck` says which
 */
export async function readEntries(tx: Transaction, chain: string, afterSeq: number, limit: number): Promise<Stored[]> {
  const rows = await tx.query<EntryRow>(
    `select convert_from(e.bytes, 'UTF8') as entry, encode(e.hash, 'hex') as hash, encode(v.salt, 'hex') as salt,
            v.content, v.metadata, v.source, v.label, v.others
       from entries e left join vault v on v.receipt_id = e.receipt_id
      where e.chain = $1 and e.seq > $2 order by e.seq limit $3`,
    [chain, afterSeq, limit],
  );
  return rows.map(({ entry: text, hash, salt, ...columns }) => {
    const entry = readEntry(text);
    const deposit = salt === null ? null : depositOf(entry.receipt_id, { ...columns, salt: Buffer.from(salt, 'hex') });
    return { entry, bytes: Buffer.from(text, 'utf8'), hash, deposit };
  });
}

async function listChains(tx: Transaction): Promise<{ chain: string; genesis: Uint8Array }[]> {
  return tx.query<{ chain: string; genesis: Uint8Array }>('select chain::text, genesis from chains order by chain');
}
