import { logState, unanchoredCheckpoints } from '../../projections/log/queries.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { type StepName, stepNames } from './anchoring/steps.js';
import type { TransparencyLog } from './log.js';

/** The state of the transparency log for its operator: whether it is signed, and how far its anchoring lags behind. */
export async function logHealth(
  database: Database,
  world: World,
  failing: ReadonlyMap<StepName, string>,
  transparencyLog: Pick<TransparencyLog, 'refusal'>,
) {
  const refusal = await transparencyLog.refusal();
  const [{ size, latest }, unanchored] = await database.read((tx) =>
    Promise.all([logState(tx), unanchoredCheckpoints(tx)]),
  );
  return {
    leaves: size,
    checkpointAgeSeconds: latest ? (world.now().getTime() - Date.parse(latest.signed_at)) / 1000 : null,
    unanchored,
    // Known before the first round is tried, and to processes that leave the rounds to another one.
    failing: new Map(stepNames.map((name) => [name, failing.has(name) || (name === 'checkpoint' && refusal !== null)])),
    warnings: refusal ? [refusal.publicly] : [],
  };
}
