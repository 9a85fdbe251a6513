import { type FeeLimits, type FeeMarket, type Fees, replacementFees } from './fees.js';

/** One signed form of a transaction. A replacement is another form under the same nonce. */
export interface Variant extends Fees {
  readonly txHash: string;
}

/** The block that holds a transaction, and what it cost there. */
export interface Inclusion {
  readonly txHash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly blockTime: string;
  /** Whether it did what it was sent for. */
  readonly succeeded: boolean;
  /** In wei. */
  readonly paid: bigint;
}

/**
 * sent: no block holds it, as far as is known; mined: a block does; done: that block is final; failed: it is final, and the
 * transaction has failed in it; taken: a transaction that is not ours has its nonce, in a final block.
 */
export type TransactionState = 'sent' | 'mined' | 'done' | 'failed' | 'taken';

export interface TransactionRow {
  readonly nonce: number;
  readonly state: TransactionState;
  readonly gasLimit: bigint;
  /** Oldest first; there is at least one. */
  readonly variants: readonly Variant[];
  readonly inclusion: Inclusion | null;
}

/**
 * Whose transaction has used a nonce in a final block. open: no final block uses it; ours, foreign: the node shows the
 * transaction itself; unknown: the node does not show it, or does not answer about old blocks.
 */
export type NonceUser = 'open' | 'ours' | 'foreign' | 'unknown';

/** The claims of a node about a transaction, as far as they agree with each other. */
export interface Seen {
  /** The number of the newest block. */
  readonly head: number;
  /** The number of the newest block when this process first sent the newest variant. */
  readonly sentAt: number;
  /** The number of the newest block that counts as final; null while there is none. */
  readonly finalHead: number | null;
  /** The nonce that the account uses next, after the newest block. */
  readonly nonce: number;
  /** The sender whose transaction has used the nonce of the row; `open` while a receipt answers that, or the nonce is free. */
  readonly user: NonceUser;
  /** The block of the chain that holds one of the variants. */
  readonly inclusion: Inclusion | null;
  /** Whether the chain still has the block that the row names. */
  readonly storedBlock: 'in the chain' | 'replaced' | 'not looked at';
  readonly market: FeeMarket;
  /** How often in a row the node has made the same claim that the row contradicts, this time included. */
  readonly looks: number;
}

export interface StepSettings extends FeeLimits {
  /** The part of the day's budget that other transactions have left, in wei. */
  readonly budgetLeft: bigint;
  /** Whether this process has the key of the account. */
  readonly canSign: boolean;
}

export type Step =
  /** Sends the newest variant again. */
  | { readonly step: 'send'; readonly problem: string | null }
  | { readonly step: 'replace'; readonly fees: Fees }
  | { readonly step: 'mined'; readonly inclusion: Inclusion }
  | { readonly step: 'settle'; readonly state: 'done' | 'failed' | 'taken' }
  | { readonly step: 'lost' }
  | { readonly step: 'wait'; readonly problem: string | null };

/** A transaction that no block took within this number of blocks is replaced by one that pays more. */
const stuckBlocks = 6;
/** A node that lags, or several nodes behind one address, contradict themselves for a moment only. */
export const looksToBelieve = 3;

/** The next step for a transaction. A step that was broken off is found again from the same row. */
export function nextStep(row: TransactionRow, seen: Seen, settings: StepSettings): Step {
  return row.inclusion === null ? beforeBlock(row, seen, settings) : inBlock(row, row.inclusion, seen);
}

function inBlock({ state }: TransactionRow, { blockNumber, succeeded }: Inclusion, seen: Seen): Step {
  if (seen.storedBlock === 'replaced') {
    return seen.looks >= looksToBelieve ? { step: 'lost' } : { step: 'wait', problem: null };
  }
  const isFinal = seen.finalHead !== null && seen.finalHead >= blockNumber;
  if (state === 'mined' && seen.storedBlock === 'in the chain' && isFinal) {
    return { step: 'settle', state: succeeded ? 'done' : 'failed' };
  }
  return { step: 'wait', problem: null };
}

function beforeBlock(row: TransactionRow, seen: Seen, settings: StepSettings): Step {
  if (row.state === 'taken') return { step: 'wait', problem: null };
  if (seen.inclusion !== null) return { step: 'mined', inclusion: seen.inclusion };
  if (seen.nonce <= row.nonce) return notMined(row, seen, settings);
  // A node without our receipt is no proof of another sender: only the transaction of that sender is.
  if (seen.user === 'foreign' && seen.looks >= looksToBelieve) return { step: 'settle', state: 'taken' };
  return { step: 'wait', problem: `nonce ${row.nonce} is used, and the node ${usedNonceProblems[seen.user]}` };
}

const lags = 'shows no block with the transaction of this service: the node lags, or another sender has the key';
const usedNonceProblems: Readonly<Record<NonceUser, string>> = {
  open: lags,
  foreign: lags,
  ours: 'has the transaction of this service in a final block, but not its receipt: wait, or use another node',
  unknown: 'does not show the transaction that has used it: use a node that has old blocks and their states',
};

function notMined(row: TransactionRow, { head, sentAt, market }: Seen, settings: StepSettings): Step {
  const last = row.variants.at(-1);
  if (last === undefined || head - sentAt < stuckBlocks) return { step: 'send', problem: null };
  if (!settings.canSign) {
    return {
      step: 'send',
      problem:
        'a transaction of an earlier key is stuck, and only that key can replace it: set it again until it is done',
    };
  }
  const fees = replacementFees(last, market, settings);
  if (typeof fees === 'string') return { step: 'send', problem: stuckBelow(fees, settings) };
  if (row.gasLimit * fees.maxFee > settings.budgetLeft) {
    return { step: 'send', problem: 'a transaction is stuck, and a higher fee is over the budget of the day' };
  }
  return { step: 'replace', fees };
}

function stuckBelow(limit: keyof FeeLimits, { ceiling, maxTip }: FeeLimits): string {
  const why =
    limit === 'ceiling'
      ? `fee is above the ceiling of ${gwei(ceiling)} gwei`
      : `tip is above the ${gwei(maxTip)} gwei that ETH_MAX_TIP_GWEI permits`;
  return `a transaction is stuck, and a higher ${why}`;
}

/** Wei as gwei (10^9 wei), with as many decimals as it has. */
export function gwei(wei: bigint): string {
  const whole = wei / 10n ** 9n;
  const part = (wei % 10n ** 9n).toString().padStart(9, '0').replace(/0+$/, '');
  return part === '' ? `${whole}` : `${whole}.${part}`;
}
