import type { Plan } from '../../contracts/entries/entry.js';
import { limits } from '../../contracts/limits.js';

/** The limits of a person in the terminal. */
interface Entitled {
  /** Of the workspace that the session is in. */
  readonly plan: Plan;
  /** The plan whose limits hold. */
  readonly effectivePlan: Plan;
  /** How many items of one kind the watchlist may have. */
  readonly watched: number;
  readonly alerts: number;
  /** How far back the person sees; null without a bound. */
  readonly historyMs: number | null;
}

/**
 * @param gated whether plans limit the terminal, see the setting TERMINAL_GATING
 * @param plan of the workspace of the person; null where there is no person or no workspace
 */
export function entitledTo(gated: boolean, plan: Plan | null): Entitled {
  const own = gated ? (plan ?? 'free') : 'free';
  const effectivePlan = gated ? own : 'enterprise';
  const isLimited = effectivePlan === 'free';
  return {
    plan: own,
    effectivePlan,
    watched: isLimited ? limits.watchedFree : limits.watched,
    alerts: isLimited ? limits.alertsFree : limits.alerts,
    historyMs: isLimited ? limits.terminalHistoryFreeMs : null,
  };
}
