import type { Alert, AlertState } from '../../contracts/terminal.js';

/** The outcome of a check: the state after it, and whether the alert fires. */
interface Checked {
  readonly state: AlertState;
  readonly fires: boolean;
  /** Whether the condition was true when the figure was last there. */
  readonly isTrue: boolean;
}

interface Watched {
  readonly op: '>' | '<';
  readonly value: number;
  readonly isTrue: boolean;
}

/**
 * Compares a figure with the condition of an alert. Without a figure nothing is known: the alert does not fire, and one
 * whose condition was true when the figure was last there does not fire again when it comes back and is still true.
 */
export function checkedWith({ op, value, isTrue }: Watched, figure: number | null): Checked {
  if (figure === null) return { state: 'no_data', fires: false, isTrue };
  const holds = op === '>' ? figure > value : figure < value;
  return { state: holds ? 'fired' : 'waiting', fires: holds && !isTrue, isTrue: holds };
}

/** An alert as its person sees it. @param historyMs how far back that person sees; null without a bound */
export function shownAlert(alert: Alert, now: Date, historyMs: number | null): Alert {
  const { id, scope, target, metric, op, value, state, last_value, last_checked_at, last_fired_at, created_at } = alert;
  const isTooOld =
    historyMs !== null && last_fired_at !== null && Date.parse(last_fired_at) < now.getTime() - historyMs;
  return {
    id,
    scope,
    target,
    metric,
    op,
    value,
    state,
    last_value,
    last_checked_at,
    last_fired_at: isTooOld ? null : last_fired_at,
    created_at,
  };
}
