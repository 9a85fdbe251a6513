import type { CloseBody } from '../../../../contracts/entries/registry.js';

/** A day that the registry chain has closed. */
export interface ClosedDay extends CloseBody {
  /** The receipt of its entry. */
  readonly receipt_id: string;
}

/** An identity of the registry chain, as it was at t. */
export interface KnownIdentity {
  readonly agentName: string | null;
  readonly vendor: string | null;
  /** Whether its key was proved by t. */
  readonly verified: boolean;
}

/** The facts of a moment that feeds show besides the state of the market. All of them are those of entries recorded by t. */
export interface Moment {
  /** Milliseconds since 1970, a whole minute: the t of the feeds. */
  readonly t: number;
  /** The number of all public receipts that were recorded by t. */
  readonly receipts: number;
  /** The root (RFC 6962) over their hashes in recorded order, in hex. */
  readonly root: string;
  /** The size of the last checkpoint that was signed by t; 0 without one. */
  readonly logSize: number;
  /** Every closed day, oldest first. */
  readonly closedDays: readonly ClosedDay[];
  /** `agn_…` → its identity. */
  readonly identities: ReadonlyMap<string, KnownIdentity>;
}
