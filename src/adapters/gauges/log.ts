import type { Registry } from 'prom-client';
import { type Show, shownBy } from './group.js';

/** The state of the transparency log and its anchoring, for monitoring. */
export interface LogHealth {
  readonly leaves: number;
  /** The time since the newest checkpoint was signed; null before the first one. */
  readonly checkpointAgeSeconds: number | null;
  /** The number of checkpoints for which no Bitcoin block is known, neither for themselves nor for a later checkpoint. */
  readonly unanchored: number;
  /** Each step of the anchoring, and whether its last attempt failed. */
  readonly failing: ReadonlyMap<string, boolean>;
  /** A sentence for each problem that the operator must solve although writes are accepted. */
  readonly warnings: readonly string[];
}

export const logGauges = (registry: Registry): Show<LogHealth> =>
  shownBy<LogHealth>(registry, (gauge) => {
    const leaves = gauge('counterfoil_log_leaves', 'Leaves of the public log.');
    const age = gauge('counterfoil_checkpoint_age_seconds', 'Time since the newest checkpoint was signed.');
    const unanchored = gauge(
      'counterfoil_anchor_pending',
      'Checkpoints that no Bitcoin block is known to hold, neither themselves nor a later one.',
    );
    const failed = gauge(
      'counterfoil_anchoring_failed',
      'Whether a step of the anchoring could not be done when it was last tried; checkpoint: the log is not signed.',
      ['step'],
    );
    return (health) => {
      leaves.set(health.leaves);
      if (health.checkpointAgeSeconds !== null) age.set(health.checkpointAgeSeconds);
      unanchored.set(health.unanchored);
      for (const [step, failing] of health.failing) failed.set({ step }, failing ? 1 : 0);
    };
  });
