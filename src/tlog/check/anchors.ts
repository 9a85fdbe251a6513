import { createHash } from 'node:crypto';
import type { AnchorState } from '../../../projections/log/queries.js';
import type { Row } from '../../database/database.js';
import type { EasiestTarget } from '../../verifier/bitcoin.js';
import { toUtf8 } from '../../verifier/bytes.js';
import { parseNote } from '../../verifier/note.js';
import { verifyDetached } from '../../verifier/ots/verify.js';

/** How far the anchoring of a checkpoint is said to have come, and what there is to show for it. */
export interface AnchoredRow extends Row {
  note: string;
  anchor: AnchorState;
  digest: string | null;
  promised: Uint8Array | null;
  ots: Uint8Array | null;
  height: number | null;
  header: Uint8Array | null;
  block_hash: string | null;
}

/**
 * Whether the timestamps of a checkpoint are of it, and a confirmed one holds under the block header that is stored.
 * Whether that block is in Bitcoin's chain is not looked at: that takes a network.
 * @returns null when they do, or a sentence's end
 */
export function anchorFault(row: AnchoredRow, easiest: EasiestTarget): string | null {
  const { anchor, promised, ots, height, header } = row;
  if (anchor === 'pending') return null;
  const digest = createHash('sha256')
    .update(parseNote(toUtf8(row.note)).text, 'utf8')
    .digest();
  if (row.digest !== digest.toString('hex')) return 'has a digest that is not the SHA-256 of its text';
  if (!promised || !ots) return 'has no timestamp, and is said to be submitted';
  const promise = verifyDetached(promised, digest, () => undefined, easiest);
  if (promise.state === 'failed') return `was promised something else by the calendars: ${promise.reason}`;
  const known = (of: number) => (of === height ? (header ?? undefined) : undefined);
  const claim = verifyDetached(ots, digest, known, easiest);
  if (claim.state === 'failed') return `has a timestamp that does not hold: ${claim.reason}`;
  if (anchor !== 'confirmed') return null;
  if (claim.state === 'not checked')
    return `is said to be confirmed, and its timestamp does not show it: ${claim.reason}`;
  return claim.blockHash === row.block_hash ? null : `is held by block ${claim.blockHash} and names another one`;
}
