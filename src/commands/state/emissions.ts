import { emissionName, recordedEmissions } from '../../../projections/feedback/queries.js';
import { distinct, type Slice, stepwise } from './slice.js';

/** The feedback of this workspace that is recorded, by agent and epoch; see `emissionName`. */
export const emissions: Slice<readonly string[], ReadonlySet<string>> = {
  empty: new Set(),
  load: async ({ tx, workspaceId }, reads) => new Set(await recordedEmissions(tx, workspaceId, distinct(reads))),
  evolve: stepwise((before, { entry }) =>
    entry.kind === 'erc8004.emitted' ? new Set(before).add(emissionName(entry.body.agn_id, entry.body.epoch)) : before,
  ),
};
