/** The prices of a unit of gas that a transaction offers (EIP-1559), in wei. */
export interface Fees {
  /** At most, together with the base fee of its block. */
  readonly maxFee: bigint;
  /** For the maker of the block. */
  readonly priorityFee: bigint;
}

/** The prices that a node names. Nothing of it is believed above the limits of the settings. */
export interface FeeMarket {
  readonly baseFee: bigint;
  readonly priorityFee: bigint;
}

/** The highest prices of the settings, in wei. */
export interface FeeLimits {
  /** Of the whole price of a unit of gas. */
  readonly ceiling: bigint;
  /** Of the part that is above the base fee. */
  readonly maxTip: bigint;
}

/** The base fee may rise by an eighth with each block: twice of it is enough for the next five full ones. */
const headroom = 2n;

/** Null when a transaction with these prices would cost more than the ceiling at once. A tip above the highest one is not offered. */
export function firstFees({ baseFee, priorityFee: named }: FeeMarket, { ceiling, maxTip }: FeeLimits): Fees | null {
  const priorityFee = least(named, maxTip);
  if (baseFee + priorityFee > ceiling) return null;
  return { maxFee: least(headroom * baseFee + priorityFee, ceiling), priorityFee };
}

/**
 * The prices of a replacement under the same nonce: at least an eighth above both of the last one, as nodes demand.
 * @returns the name of the limit that forbids it, where one does
 */
export function replacementFees(
  last: Fees,
  { baseFee, priorityFee: named }: FeeMarket,
  { ceiling, maxTip }: FeeLimits,
): Fees | keyof FeeLimits {
  const priorityFee = least(named, maxTip);
  const raisedBoth = { maxFee: raised(last.maxFee), priorityFee: raised(last.priorityFee) };
  if (raisedBoth.maxFee > ceiling) return 'ceiling';
  if (raisedBoth.priorityFee > maxTip) return 'maxTip';
  const maxFee = least(most(raisedBoth.maxFee, headroom * baseFee + priorityFee), ceiling);
  return { maxFee, priorityFee: least(most(raisedBoth.priorityFee, priorityFee), maxFee) };
}

/** 12.5 % more, rounded up, and at least one wei. */
const raised = (price: bigint): bigint => price + most((price + 7n) / 8n, 1n);

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
