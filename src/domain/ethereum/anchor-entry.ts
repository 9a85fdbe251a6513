import type { Inclusion, TransactionState } from './next-step.js';

/** A transaction that anchors a checkpoint. */
export interface AnchorTransaction {
  readonly state: TransactionState;
  readonly inclusion: Inclusion | null;
}

/** The anchor of the same checkpoint, as the ledger has it. */
export interface RecordedAnchor {
  readonly state: 'mined' | 'final' | 'lost';
  readonly tx_hash: string;
  readonly block_number: number;
  readonly block_hash: string;
}

export type MissingEntry =
  | { readonly kind: 'anchor.mined'; readonly inclusion: Inclusion }
  | { readonly kind: 'anchor.final'; readonly inclusion: Inclusion }
  | { readonly kind: 'anchor.lost'; readonly anchor: RecordedAnchor };

/**
 * The first entry that the ledger lacks about a transaction; null when it knows everything. Each entry follows from what the
 * ledger has, so a repetition after a crash appends nothing twice.
 */
export function missingEntry(
  { state, inclusion }: AnchorTransaction,
  anchor: RecordedAnchor | undefined,
): MissingEntry | null {
  const recorded = anchor === undefined || anchor.state === 'lost' ? null : anchor;
  // A transaction that has failed anchors nothing, although a block holds it.
  const holds = inclusion?.succeeded ? inclusion : null;
  if (recorded !== null && (holds === null || !isOf(recorded, holds))) return { kind: 'anchor.lost', anchor: recorded };
  if (holds === null) return null;
  if (recorded === null) return { kind: 'anchor.mined', inclusion: holds };
  return state === 'done' && recorded.state === 'mined' ? { kind: 'anchor.final', inclusion: holds } : null;
}

const isOf = (anchor: RecordedAnchor, { txHash, blockHash }: Inclusion): boolean =>
  anchor.tx_hash === txHash && anchor.block_hash === blockHash;
