import type { Deposit } from '../../contracts/entries/recorded.js';

/** The texts that have a column of their own in the table vault, because queries read and filter them. */
const named = ['content', 'metadata', 'source', 'label'] as const;

/** A row of the table vault without its receipt. */
export interface VaultColumns {
  readonly salt: Uint8Array;
  readonly content: string | null;
  readonly metadata: string | null;
  readonly source: string | null;
  readonly label: string | null;
  /** A JSON object of the texts with other names; null or left out where there are none. */
  readonly others?: string | null;
}

/** A loop over the four names: building the same object from lists of pairs takes longer, once for each replayed entry. */
export function depositOf(receiptId: string, row: VaultColumns): Deposit {
  const texts: Record<string, string> = row.others == null ? {} : JSON.parse(row.others);
  for (const name of named) {
    const text = row[name];
    if (text !== null) texts[name] = text;
  }
  return { receiptId, salt: row.salt, texts };
}

export function vaultColumns({ salt, texts }: Deposit): VaultColumns {
  const { content = null, metadata = null, source = null, label = null, ...others } = texts;
  const rest = Object.keys(others).length === 0 ? null : JSON.stringify(others);
  return { salt, content, metadata, source, label, others: rest };
}
