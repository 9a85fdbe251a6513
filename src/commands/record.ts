import type { Draft } from '../../contracts/entries/entry.js';
import type { Deposit } from '../../contracts/entries/recorded.js';
import { receiptId, type World } from '../base/world.js';
import { commit } from '../ledger/chain.js';
import type { Done, Effects } from './command.js';

type WithoutReceipt<D> = D extends Draft ? Omit<D, 'receipt_id'> : never;
/** An entry as a rule decides it: its kind and its body. */
export type Decided = WithoutReceipt<Draft>;

/**
 * One entry that a command will record, with its receipt. Id and salt are taken before anything is decided, so a command that is
 * decided a second time records the same entry.
 */
export interface Recording {
  /** The id of the entry's receipt. */
  readonly receipt: string;
  /** For digests that are no commitments. It is kept in the vault with the texts. */
  readonly salt: Uint8Array;
  /** Binds the entry to a text that it must not contain: HMAC-SHA-256 in hex. */
  commit(text: string): string;
  /**
   * Records this entry and nothing else.
   * @param texts what it commits to, by the names of the catalogue; it is kept in the vault until the subject is deleted
   */
  entry<A>(decided: Decided, answer: A, texts?: Deposit['texts']): Done<A>;
  /** The same without an answer, for one that shows the hash of the receipt, and for an entry among others. */
  effects(decided: Decided, texts?: Deposit['texts']): Effects;
}

export function recording(world: World): Recording {
  const receipt = receiptId(world);
  const salt = world.random(32);
  const effects = (decided: Decided, texts?: Deposit['texts']): Effects => ({
    drafts: [{ ...decided, receipt_id: receipt }],
    deposits: texts === undefined ? [] : [{ receiptId: receipt, salt, texts }],
  });
  return {
    receipt,
    salt,
    commit: (text) => commit(salt, text),
    entry: (decided, answer, texts) => ({ ...effects(decided, texts), answer: () => answer }),
    effects,
  };
}

/** The entries of several effects and their texts, in this order. */
export function together(effects: readonly Effects[]): Effects {
  return { drafts: effects.flatMap(({ drafts }) => drafts), deposits: effects.flatMap(({ deposits }) => deposits) };
}

/** Records several entries that commit to no text. */
export function entries<A>(drafts: readonly Draft[], answer: A): Done<A> {
  return { drafts, deposits: [], answer: () => answer };
}

/** Records nothing, because everything is already as it should be. */
export function nothing<A>(answer: A): Done<A> {
  return entries([], answer);
}
