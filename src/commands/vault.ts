import { Refusal } from '../../contracts/errors.js';
import { type MemoryView, memoriesByIds, type SummaryRow, summaryBytes } from '../../projections/memory/queries.js';
import { inGroups } from '../base/groups.js';
import { slices } from '../base/steps.js';
import type { Database } from '../database/database.js';
import { alterationOf, type StoredTexts } from '../ledger/deposits.js';

/**
 * The only way from the rows of the vault to their readers. An intruder in the database can change a text there, but not the
 * commitment in its receipt. So each text is checked against that commitment before it is shown, sent or indexed.
 */
export interface Vault {
  /** Those rows whose texts are what their receipts commit to, in their order. Rows that are not are reported and left out. */
  genuine<K extends Shown>(rows: readonly K[]): Promise<K[]>;
  /** @throws Refusal internal_error when it is not what its receipt commits to */
  requireGenuine<K extends Shown>(row: K): Promise<K>;
  /** The same as `genuine` for rows of a summary, whose contents are then cut to their beginning. */
  summaries(read: Database['read'], rows: readonly SummaryRow[]): Promise<MemoryView[]>;
  /** How often an altered text was met since the start. */
  altered(): number;
}

/** Texts that are shown, of a memory with the reason for which it was invalidated. */
interface Shown extends StoredTexts {
  readonly invalidation?: (Omit<StoredTexts, 'salt'> & { readonly salt: Uint8Array | null }) | null;
}

/** The report to the operator: the receipt and the fault, and nothing of the text. */
interface Alteration {
  readonly receipt_id: string;
  readonly fault: string;
}

const refusal =
  'What the store holds for this receipt is not what the receipt commits to, so it is not shown. The log of the service says more to its operator.';

export function createVault(onAltered: (alteration: Alteration) => void): Vault {
  let altered = 0;

  function isGenuine(row: StoredTexts): boolean {
    const fault = alterationOf(row);
    if (fault === null) return true;
    altered += 1;
    onAltered({ receipt_id: row.receipt_id, fault: `the stored text ${fault}` });
    return false;
  }

  /** A reason that the store has lost is shown as lost. */
  function hasGenuineReason({ invalidation }: Shown): boolean {
    if (!invalidation || invalidation.salt === null) return true;
    return isGenuine({ ...invalidation, salt: invalidation.salt });
  }

  async function genuine<K extends Shown>(rows: readonly K[]): Promise<K[]> {
    const found: K[] = [];
    const next = slices();
    for (const row of rows) {
      if (isGenuine(row) && hasGenuineReason(row)) found.push(row);
      // To open a commitment of 1 MiB takes milliseconds.
      await next();
    }
    return found;
  }

  return {
    genuine,
    async requireGenuine(row) {
      const [found] = await genuine([row]);
      if (!found) throw new Refusal('internal_error', refusal);
      return found;
    },
    async summaries(read, rows) {
      const found = new Map<string, MemoryView>();
      const add = async (some: readonly MemoryView[]) => {
        for (const row of await genuine(some)) found.set(row.id, { ...row, content: beginningOf(row.content) });
      };
      await add(rows.flatMap(withContent));
      for (const part of parts(rows.filter((row) => row.content === null))) {
        await add(await read((tx) => memoriesByIds(tx, part)));
      }
      return rows.flatMap(({ id }) => found.get(id) ?? []);
    },
    altered: () => altered,
  };
}

export function withContent(row: SummaryRow): MemoryView[] {
  const { content } = row;
  return content === null ? [] : [{ ...row, content }];
}

/** Ids of memories that have about `summaryBytes` together, so that a page of long ones is never in memory at once. */
export const parts = (rows: readonly SummaryRow[]): string[][] =>
  inGroups(rows, ({ size }) => size, { size: summaryBytes }).map((group) => group.map(({ id }) => id));

/** More than the 280 code points of an excerpt and the grapheme cluster that may hang over their end. */
const shownUnits = 2000;

/** A copy, since a part of a string keeps the whole of it in memory. */
function beginningOf(content: string): string {
  if (content.length <= shownUnits) return content;
  return Buffer.from(content.slice(0, shownUnits), 'utf16le').toString('utf16le');
}
