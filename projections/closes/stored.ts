import { createHash } from 'node:crypto';
import { type CloseFile, closeFile } from '../../contracts/feeds/closes.js';
import type { OnFault } from '../../src/base/faults.js';
import type { Transaction } from '../../src/database/database.js';
import { type ClosedDay, historyDays, type StoredCloses } from '../../src/domain/market/indices/closes.js';
import { dayText, readDay } from '../../src/domain/market/indices/days.js';
import { neededFiles } from '../../src/domain/market/indices/needed.js';
import {
  type CloseRow,
  closesBefore,
  closesOf,
  closesRecordedBy,
  type FileRow,
  filesAfter,
  filesOf,
} from './queries.js';

const none: StoredCloses = { days: [], files: [] };

/**
 * The closes that were recorded at t or before, with the files that the indices of a feed are made from.
 * @param before what an earlier call has returned: it is returned again while no further day has closed
 */
export async function storedClosesAt(tx: Transaction, t: number, before: StoredCloses = none): Promise<StoredCloses> {
  const [newest] = await closesRecordedBy(tx, t, 1);
  if (newest?.receipt_id === before.days.at(-1)?.receipt_id) return before;
  return withFiles(tx, await closesRecordedBy(tx, t, historyDays));
}

/** The closes of the days before one. */
export const storedClosesBefore = async (tx: Transaction, day: number): Promise<StoredCloses> =>
  withFiles(tx, await closesBefore(tx, dayText(day), historyDays));

/** @param rows newest first */
async function withFiles(tx: Transaction, rows: readonly CloseRow[]): Promise<StoredCloses> {
  const [last] = rows;
  if (!last) return none;
  const { files, driftDays } = await neededFiles(readDay(last.day), async (days) =>
    (await filesOf(tx, days.map(dayText))).map(readFile),
  );
  const known = new Set(rows.map(({ day }) => day));
  const older = driftDays.map(dayText).filter((day) => !known.has(day));
  const all = [...rows, ...(older.length === 0 ? [] : await closesOf(tx, older))];
  return { days: all.map(closedDay).sort((a, b) => a.day - b.day), files };
}

const closedDay = ({ day, levels, ...row }: CloseRow): ClosedDay => ({
  day: readDay(day),
  receipt_id: row.receipt_id,
  recorded_ms: row.recorded_ms,
  levels: JSON.parse(levels),
  facts_hash: row.facts_hash,
});

/** The contents of a file. @throws when it is missing or is not the one that its entry states */
function readFile(row: FileRow): CloseFile {
  const { bytes } = row;
  const fault = fileFault(row);
  if (bytes === null || fault !== null) throw new Error(fault ?? `${row.day} has no file`);
  return closeFile.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
}

/** A sentence about a file that is missing or altered; null for a good one. */
function fileFault({ day, facts_hash, bytes }: FileRow): string | null {
  if (bytes === null) return `The file of the close of ${day} is missing. A running service derives it again.`;
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash === facts_hash) return null;
  return `The file of the close of ${day} has the hash ${hash}, and its entry states ${facts_hash}.`;
}

/** Files in memory at a time. */
const pageFiles = 20;

/** Finds closed days whose file is missing, or is not the one that the entry of its close states. */
export async function closeFileFaults(tx: Transaction, found: OnFault): Promise<void> {
  let after = '';
  for (;;) {
    const page = await filesAfter(tx, after, pageFiles);
    for (const file of page) {
      const fault = fileFault(file);
      if (fault !== null) found('close_files', fault);
      after = file.day;
    }
    if (page.length < pageFiles) return;
  }
}
