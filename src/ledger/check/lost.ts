import { namedFaults } from '../../base/faults.js';
import type { Transaction } from '../../database/database.js';
import type { Pending } from './pending.js';

/** The texts that a check has found missing. They cannot be restored from entries, so the check continues without them. */
export interface LostContent {
  /** Notes what is pending at the end of a chain. */
  take(tx: Transaction, pending: Pending): Promise<void>;
  /** A line for each lost text, the first ones by name; null when nothing is lost. */
  summary(): string | null;
}

export function createLostContent(): LostContent {
  const sentences: string[] = [];
  let count = 0;
  return {
    async take(tx, pending) {
      const left = await pending.takeLeft(tx, namedFaults - sentences.length);
      count += left.count;
      sentences.push(...left.sentences);
    },
    summary() {
      if (count === 0) return null;
      const more = count - sentences.length;
      return [...sentences, ...(more > 0 ? [`content lost: ${more} more, which are not named here.`] : [])].join('\n');
    },
  };
}
