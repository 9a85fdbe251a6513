import type { Entry } from './entry.js';

/**
 * What an entry commits to but must not contain. Kept in the vault under the entry's receipt id, beside the salt of its
 * commitments, until the entry's subject is deleted; then the whole deposit is destroyed and only the commitment stays.
 */
export interface Deposit {
  readonly receiptId: string;
  readonly salt: Uint8Array;
  readonly content: string | null;
  /** JSON text exactly as it was sent. */
  readonly metadata: string | null;
  readonly source: string | null;
}

/** An entry with its receipt hash and its deposit while that exists: all that a projection may look at. */
export interface Recorded {
  readonly entry: Entry;
  readonly hash: string;
  readonly deposit: Deposit | null;
}
