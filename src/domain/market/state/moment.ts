import type { Closes } from '../indices/closes.js';

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
  /** The days whose closes were recorded by t. */
  readonly closes: Closes;
}
