import type { EntryKind, EntryOf } from './entry.js';
import type { Indexable } from './indexable.js';

/**
 * What an entry commits to but must not contain. Stored in the vault under the entry's receipt id, beside the salt of its
 * commitments, until the entry's subject is deleted; then the whole deposit is destroyed and only the commitment stays.
 */
export interface Deposit {
  readonly receiptId: string;
  readonly salt: Uint8Array;
  /**
   * By the names under which the catalogue lists the commitments of the kind. Those of a memory are `content`, `metadata`
   * (JSON text exactly as it was sent), `source`, and `label` (the file name or the URL that it was imported from).
   */
  readonly texts: Readonly<Record<string, string>>;
}

/** An entry of a kind with its receipt hash, and with its deposit while that exists. A projection may read nothing else. */
export interface RecordedOf<K extends EntryKind> {
  readonly entry: EntryOf<K>;
  readonly hash: string;
  readonly deposit: Deposit | null;
  /** Of a new memory that is indexed in the transaction of its append. A replay has none: the index keeps what it has. */
  readonly indexable?: Indexable | undefined;
}

/** The same of any kind. */
export type Recorded = RecordedOf<EntryKind>;

/**
 * The answer to a request that carried an Idempotency-Key. It is stored in the same transaction as the entries of the
 * request, so that a caller who repeats the request after a crash gets this answer and nothing happens twice.
 */
export interface StoredAnswer {
  /** SHA-256 over the credential and the key it sent: one credential cannot ask for another's answers. */
  readonly requestKey: string;
  /** HMAC over method, path and body, to distinguish a repetition from another request under the same key. */
  readonly digest: string;
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  /** Receipts whose texts the body shows. */
  readonly reveals: readonly string[];
  /**
   * JSON text without these texts, which takes the place of the body when one of them is destroyed. Null when nothing would be
   * left: the answer is destroyed then, and its request is carried out again.
   */
  readonly bodyWithout: string | null;
  readonly answeredAt: string;
  /** Of the last entry that the request has recorded; null where it has recorded none. */
  readonly receiptId: string | null;
}
