import { vaultUseOf } from '../../contracts/entries/catalogue.js';
import type { Entry } from '../../contracts/entries/entry.js';
import type { Deposit } from '../../contracts/entries/recorded.js';
import { commit, entryHash, readEntry } from './chain.js';

const saltBytes = 32;

/** Whether an entry has a row in the vault until its subject is deleted. */
export function hasDeposit(entry: Entry): boolean {
  return vaultUseOf(entry) !== 'nothing';
}

/** The fault in the vault row of `entry`, as the end of a sentence about that row, or null. */
export function depositFault(entry: Entry, deposit: Deposit): string | null {
  const use = vaultUseOf(entry);
  if (use === 'nothing') return 'belongs to an entry that commits to nothing';
  const { salt, texts } = deposit;
  // HMAC fills a short key up with zeros, so a salt with a zero behind it would open the same commitments.
  if (salt.length !== saltBytes) return `has a salt that is not of ${saltBytes} bytes`;
  if (use === 'salt only') return Object.keys(texts).length > 0 ? 'holds a text that is never stored' : null;
  for (const name of new Set([...Object.keys(use.texts), ...Object.keys(texts)])) {
    const text = texts[name];
    const opened = text === undefined ? null : commit(salt, text);
    if (opened !== (use.texts[name] ?? null)) return `does not open the commitment to its ${name}`;
  }
  return null;
}

/** A row of the vault as it is stored now, with the receipt that it is shown under and the bytes of that receipt's entry. */
export interface StoredTexts extends VaultColumns {
  readonly receipt_id: string;
  readonly receipt_hash: string;
  readonly entry: Uint8Array;
}

/**
 * What is wrong with texts that are about to be shown under a receipt hash, as the end of a sentence about them, or null when
 * they are the texts that this receipt commits to.
 */
export function alterationOf({ receipt_id, receipt_hash, entry: bytes, ...row }: StoredTexts): string | null {
  if (entryHash(bytes) !== receipt_hash) return 'belongs to an entry that does not have the hash of its receipt';
  const entry = readEntry(Buffer.from(bytes).toString('utf8'));
  if (entry.receipt_id !== receipt_id) return 'belongs to the entry of another receipt';
  return depositFault(entry, depositOf(receipt_id, row));
}

/** The texts that have a column of their own in the table vault, because queries read and filter them. */
const named = ['content', 'metadata', 'source', 'label'] as const;

/** A row of the table vault without its receipt. */
interface VaultColumns {
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
