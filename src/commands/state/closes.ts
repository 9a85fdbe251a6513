import { lastClosedDay } from '../../../projections/closes/queries.js';
import { type Slice, stepwise } from './slice.js';

export interface Closes {
  /** The last day that has closed; null before the first. */
  readonly lastDay: string | null;
}

/** The closes of the registry. Only commands on its chain may read them. */
export const closes: Slice<true, Closes> = {
  empty: { lastDay: null },
  load: async ({ tx }) => ({ lastDay: await lastClosedDay(tx) }),
  evolve: stepwise({ 'index.closed': (_, { entry }) => ({ lastDay: entry.body.day }) }),
};
