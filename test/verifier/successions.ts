import { createHash } from 'node:crypto';
import { type SuccessionLeaf, succeededBytes, successionLeaf } from '../../src/tlog/leaves.js';
import type { NoteSigner } from '../../src/tlog/note-writer.js';
import { toBase64, toHex, toUtf8 } from '../../src/verifier/bytes.js';
import { openFrontier } from '../../src/verifier/frontier.js';
import { leafHash } from '../../src/verifier/merkle.js';

/** The number of leaves and their root in hex, as a succession names them. */
export function sizeOf(leaves: readonly Uint8Array[]): { readonly size: number; readonly root: string } {
  const frontier = openFrontier();
  for (const leaf of leaves) frontier.add(leafHash(leaf));
  return { size: leaves.length, root: toHex(frontier.root()) };
}

export interface MadeSuccession {
  readonly from: SuccessionLeaf['from'];
  readonly kept: SuccessionLeaf['kept'];
  readonly to: NoteSigner;
  readonly by: readonly NoteSigner[];
}

/** The leaf with which the log of `to` begins, endorsed by the keys `by`. */
export function succession({ from, kept, to, by }: MadeSuccession): Uint8Array {
  const members = { from, kept, to: { origin: to.key.name, publicKey: toBase64(to.key.publicKey) } };
  const message = succeededBytes({ ...members, endorsements: [] });
  const endorsements = by.map((one) => ({ key_id: one.key.id, signature: toBase64(one.sign(message)) }));
  return toUtf8(successionLeaf({ ...members, endorsements }));
}

/** 32 bytes in hex that are the same in every run. */
export const rootOf = (label: string): string => createHash('sha256').update(label).digest('hex');
