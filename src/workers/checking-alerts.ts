import { forgetGuests } from '../../projections/account/guests.js';
import { type Check, newAlerts, recordChecks, type Unchecked, uncheckedAt } from '../../projections/terminal/alerts.js';
import { newAlert } from '../../projections/terminal/due.js';
import { forgetFirings, recordFirings } from '../../projections/terminal/firings.js';
import { forgetAccounts } from '../../projections/terminal/rows.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { checkedWith, shownAlert } from '../domain/alert.js';
import type { FigureTarget } from '../domain/market/feeds/questions.js';
import { createLease, type Lease } from './lease.js';
import type { DueJob } from './lookout.js';
import type { Job } from './loop.js';

/** Longer than a step can take. */
const leaseMs = 30_000;
/** Of real time: the clock of the process may be set to another time, and its moment is looked at again after this. */
const lookMs = 1000;
/** Alerts of one transaction. */
const page = 500;
/** How long firings are kept, and how often old ones and what no one owns any more is removed. */
const retentionMs = 30 * 24 * 3_600_000;
const forgetMs = 10 * 60_000;
/** A guest who has kept nothing is forgotten after this. */
const guestMs = 24 * 3_600_000;

/** The newest public figures. */
interface Figures {
  /** Null before the first ones. */
  readonly newest: { readonly t: number } | null;
  /** @param owner whose work it is */
  figures(
    owner: string,
    targets: readonly FigureTarget[],
  ): Promise<{ readonly t: number; readonly values: readonly (string | null)[] }>;
}

interface AlertParts {
  readonly database: Database;
  readonly world: World;
  readonly figures: Figures;
  /** See `createLease`. */
  readonly owner: string;
  /** Whether firings are sent by e-mail. */
  readonly mails: boolean;
}

/**
 * Compares every alert with its figure once at each moment of the feeds, in one process at a time. The state of an alert and
 * its firing are one transaction: a process that is killed in between has recorded neither, and the next one does both.
 */
export function checkingAlerts(parts: AlertParts): DueJob {
  const { database, figures, owner } = parts;
  const lease = createLease(database, 'alerts', owner, leaseMs);
  let done: { readonly t: number; readonly after: string | null; readonly isComplete: boolean } | null = null;
  const isThrough = () => figures.newest === null || (done?.isComplete === true && done.t === figures.newest.t);
  return {
    name: 'alerts',
    due: newAlert,
    isWaiting: () => !isThrough(),
    napMs: lookMs,
    lease,
    async work() {
      const { newest } = figures;
      if (newest === null) return false;
      const { t } = newest;
      const after = done !== null && done.t === t ? done.after : null;
      const isComplete = done !== null && done.t === t && done.isComplete;
      const alerts = await database.read((tx) =>
        isComplete ? newAlerts(tx, page) : uncheckedAt(tx, new Date(t), after, page),
      );
      const last = alerts[alerts.length - 1];
      if (last === undefined) {
        done = { t, after, isComplete: true };
        return false;
      }
      if (!(await lease.take())) return false;
      const checkedAt = await check(parts, lease, alerts);
      if (!isComplete && checkedAt === t) done = { t, after: last.id, isComplete: false };
      return checkedAt !== null;
    },
  };
}

/** Forgets firings that are old, guests who have kept nothing, and what no one owns any more. */
export const forgettingFirings = ({ database, world }: Pick<AlertParts, 'database' | 'world'>): Job => ({
  name: 'forgetting firings',
  firstMs: forgetMs,
  napMs: forgetMs,
  async work() {
    const ago = (ms: number) => new Date(world.now().getTime() - ms);
    await database.transaction((tx) => forgetFirings(tx, ago(retentionMs), 10_000));
    await database.transaction(async (tx) => {
      await forgetAccounts(tx);
      await forgetGuests(tx, ago(guestMs));
    });
    return false;
  },
});

/** @returns the moment of the figures; null where the lease was lost */
async function check(
  { database, world, figures, mails }: AlertParts,
  lease: Lease,
  alerts: readonly Unchecked[],
): Promise<number | null> {
  const { t, values } = await figures.figures('alerts', alerts);
  const checks = alerts.map((alert, at) => checkOf(alert, values[at] ?? null));
  const now = world.now();
  return database.transaction(async (tx) => {
    if (!(await lease.keep(tx))) return null;
    const fired = await recordChecks(tx, checks, new Date(t), now);
    const firings = fired.map(({ person_id: personId, ...row }) => ({
      id: world.id(),
      personId,
      alert: shownAlert(row, now, null),
    }));
    await recordFirings(tx, firings, now, mails);
    return t;
  });
}

function checkOf({ id, revision, op, value, is_true: isTrue }: Unchecked, figure: string | null): Check {
  const lastValue = figure === null ? null : Number(figure);
  return { id, revision, lastValue, ...checkedWith({ op, value, isTrue }, lastValue) };
}
