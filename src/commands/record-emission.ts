import type { Bodies } from '../../contracts/entries/entry.js';
import { emissionName } from '../../projections/feedback/queries.js';
import type { World } from '../base/world.js';
import type { Command } from './command.js';
import { system } from './open-workspace.js';
import { nothing, recording } from './record.js';

/** Records that receipts of a workspace are counted in feedback on the chain: once for each agent and epoch, however often it runs. */
export function recordEmission(world: World, emission: Bodies['erc8004.emitted']): Command<void> {
  const record = recording(world);
  const name = emissionName(emission.agn_id, emission.epoch);
  return {
    actor: system,
    reads: { emissions: [name] },
    decide: ({ emissions }) =>
      emissions.has(name) ? nothing(undefined) : record.entry({ kind: 'erc8004.emitted', body: emission }, undefined),
  };
}
