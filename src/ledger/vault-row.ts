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

export function depositOf(receiptId: string, row: VaultColumns): Deposit {
  const own = named.flatMap((name) => {
    const text = row[name];
    return text === null ? [] : [[name, text] as const];
  });
  const others: Readonly<Record<string, string>> = JSON.parse(row.others ?? '{}');
  return { receiptId, salt: row.salt, texts: { ...Object.fromEntries(own), ...others } };
}

export function vaultColumns({ salt, texts }: Deposit): VaultColumns {
  const { content = null, metadata = null, source = null, label = null, ...others } = texts;
  const rest = Object.keys(others).length === 0 ? null : JSON.stringify(others);
  return { salt, content, metadata, source, label, others: rest };
}
