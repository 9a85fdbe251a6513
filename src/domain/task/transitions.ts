import type { StatedType, Statement } from './statements.js';

/** The states that an object of the market may have after each state, besides the same state again. */
const after: { readonly [T in StatedType]: Readonly<Record<string, readonly string[]>> } = {
  settlement: { initiated: ['settled', 'failed'], settled: ['refunded'], failed: ['initiated'] },
  rfq: { open: ['filled', 'expired', 'cancelled'] },
  auction: { open: ['cleared', 'failed'] },
  forward: { open: ['delivered', 'defaulted', 'cancelled'] },
  dispute: { open: ['resolved'], resolved: ['open'] },
};

/** The tiers of a dispute, from the lowest to the highest. */
const tiers = ['automated', 'panel', 'appeal'];

/** The reason why a workspace may not make a statement after its own earlier one, or null. */
export function transitionFault(before: Statement | undefined, stated: Statement): string | null {
  if (before === undefined || before.status === stated.status) return null;
  if (!(after[stated.type][before.status] ?? []).includes(stated.status)) {
    return `must not be ${stated.status} after ${before.status}`;
  }
  const isReopened = stated.type === 'dispute' && stated.status === 'open';
  return isReopened && rank(stated) <= rank(before) ? 'must not be open after resolved without a higher tier' : null;
}

const rank = ({ tier }: Statement): number => tiers.indexOf(tier ?? '');
