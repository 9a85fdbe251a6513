import { type FeeLimits, type FeeMarket, type Fees, firstFees } from './fees.js';
import { gwei, looksToBelieve, type NonceUser } from './next-step.js';

/** The claims of a node before a new transaction of an account. */
export interface SeenBefore {
  /** The nonce that the account uses next, after the newest block. */
  readonly nonce: number;
  /** How long ago the newest block was made, in milliseconds. */
  readonly headAgeMs: number;
  /** The sender whose transaction has used the nonce that this service would use next. */
  readonly user: NonceUser;
  readonly market: FeeMarket;
  /** The estimate of the gas that the transaction takes. */
  readonly gas: bigint;
  readonly balance: bigint;
  /** How often in a row the node has named this nonce, this time included. */
  readonly looks: number;
}

export interface BeginSettings extends FeeLimits {
  /** The last nonce that this service has used of the account; null for a new account. */
  readonly lastNonce: number | null;
  /** Whether a transaction of another sender has taken a nonce of the account. */
  readonly isTaken: boolean;
  /** The rest of the day's budget, in wei. */
  readonly budgetLeft: bigint;
  /** More gas than any transaction of this purpose takes. */
  readonly mostGas: bigint;
  /** The least gas that a transaction may use. A node that names less would make it fail, and its cost would be lost. */
  readonly leastGas: bigint;
}

export type Begin =
  | { readonly begin: true; readonly nonce: number; readonly gasLimit: bigint; readonly fees: Fees }
  | { readonly begin: false; readonly problem: string | null };

/** The end of the sentence for a key that someone else uses too. */
export const foreignNonce =
  'a transaction that is not of this service has used a nonce of its account: the key must be of this service alone, so set a new one';

/** A node with an older block lags, or its chain stands still: the number of transactions of a new account may be an old one there. */
const oldestHeadMs = 5 * 60_000;

/** Whether a transaction may be made now, and with which nonce, gas and fees. */
export function mayBegin(seen: SeenBefore, settings: BeginSettings): Begin {
  const wait = (problem: string | null): Begin => ({ begin: false, problem });
  if (settings.isTaken) return wait(foreignNonce);
  const { lastNonce, ceiling, budgetLeft, mostGas } = settings;
  if (lastNonce === null && seen.headAgeMs >= oldestHeadMs) {
    const minutes = Math.floor(seen.headAgeMs / 60_000);
    return wait(
      `the newest block of the node was made ${minutes} minutes ago, and a new key begins on a recent block only`,
    );
  }
  const nonce = lastNonce === null ? seen.nonce : lastNonce + 1;
  if (seen.nonce > nonce) {
    const isForeign = seen.user === 'foreign' && seen.looks >= looksToBelieve;
    return wait(isForeign ? foreignNonce : `the node says that nonce ${nonce} is used`);
  }
  if (seen.nonce < nonce) return wait('the node is behind the last transaction of this service');
  // A node that lags would name a nonce that is used, and a new account has nothing to compare it with.
  if (lastNonce === null && seen.looks < looksToBelieve) return wait(null);
  if (seen.gas > mostGas)
    return wait(`the node estimates ${seen.gas} gas, and no such transaction takes more than ${mostGas}`);
  const fees = firstFees(seen.market, settings);
  if (fees === null) return wait(`the fee is above the ceiling of ${gwei(ceiling)} gwei`);
  const gasLimit = gasLimitOf(seen.gas, settings);
  const worst = gasLimit * fees.maxFee;
  if (worst > budgetLeft) {
    return wait(`a transaction may cost ${worst} wei, and the budget of this day has ${budgetLeft} left`);
  }
  if (worst > seen.balance) {
    return wait(`a transaction may cost ${worst} wei, and the account has ${seen.balance}: send ether to it`);
  }
  return { begin: true, nonce, gasLimit, fees };
}

/** A quarter more than the estimate. What is not used is not paid. */
function gasLimitOf(estimate: bigint, { leastGas, mostGas }: Pick<BeginSettings, 'leastGas' | 'mostGas'>): bigint {
  const more = estimate + estimate / 4n;
  if (more < leastGas) return leastGas;
  return more < mostGas ? more : mostGas;
}
