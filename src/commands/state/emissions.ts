import { emissionName, recordedEmissions } from '../../../projections/feedback/queries.js';
import { distinct, type Slice, stepwise } from './slice.js';

/** The feedback of this workspace that is recorded, by agent and epoch; see `emissionName`. */
export const emissions: Slice<readonly string[], ReadonlySet<string>> = {
  empty: new Set(),
  load: async ({ tx, workspaceId }, reads) => new Set(await recordedEmissions(tx, workspaceId, distinct(reads))),
  evolve: stepwise({
    'erc8004.emitted': (before, { entry }) => new Set(before).add(emissionName(entry.body.agn_id, entry.body.epoch)),
  }),
};
