/** A step of the clock by more than this is not believed, and neither is a clock that differs from another one by more. */
export const stepMs = 5 * 60_000;
/** A store that was in use is not started with a clock that is further than this after its newest entry. */
const gapMs = 24 * 3_600_000;

/** The readings of a machine at one moment, in milliseconds: the time, and how long it has been running. */
interface Shown {
  readonly clock: number;
  readonly uptime: number;
}

/** Two times of which one must be wrong. */
interface Doubt {
  readonly shownMs: number;
  /** `step`: what the clock would show now if it had not been set. `start`: the time of the newest entry. */
  readonly otherMs: number;
  readonly since: 'step' | 'start';
}

/**
 * Finds out whether a clock may be believed, by how long the machine has been running and by what the ledger holds. A clock that
 * was set wrong is believed again as soon as it is set right.
 */
interface ClockWatch {
  /** @returns null when the clock is believed */
  look(): Doubt | null;
  /**
   * Takes a later time up to which the ledger was settled. Only a process that believes its clock settles the ledger up to it,
   * or an operator who has accepted it: so a clock that agrees with that time is believed.
   */
  learn(newestMs: number): void;
  /** How far the newest entry is after the time that the clock shows; 0 when it is not. */
  behindMs(): number;
}

/** @param newestMs the time of the newest entry of a store that was in use; 0 for another store */
export function watchClock(show: () => Shown, newestMs: number): ClockWatch {
  let newest = newestMs;
  /** The clock less the uptime, when the clock was last believed; null when it never was. */
  let difference: number | null = null;
  /** Whether the clock was behind the newest entry when it was last believed, which it is not to be again when it was set right. */
  let wasBehind = false;

  const believe = ({ clock, uptime }: Shown): null => {
    difference = clock - uptime;
    wasBehind = clock < newest - stepMs;
    return null;
  };

  return {
    look() {
      const shown = show();
      const { clock, uptime } = shown;
      if (difference === null) {
        const isFar = newest > 0 && clock > newest + gapMs;
        return isFar ? { shownMs: clock, otherMs: newest, since: 'start' } : believe(shown);
      }
      const expected = uptime + difference;
      const isCorrected = wasBehind && clock >= newest - stepMs && clock <= newest + gapMs;
      if (Math.abs(clock - expected) <= stepMs || isCorrected) return believe(shown);
      return { shownMs: clock, otherMs: expected, since: 'step' };
    },
    learn(later) {
      if (later <= newest) return;
      newest = later;
      const shown = show();
      if (Math.abs(shown.clock - later) <= stepMs) believe(shown);
    },
    behindMs: () => Math.max(0, newest - show().clock),
  };
}

/** The fault and its remedy, for those who read an error, a log or `/readyz`. */
export function sentenceOfDoubt({ shownMs, otherMs, since }: Doubt): string {
  const [shown, other] = [shownMs, otherMs].map((ms) => new Date(ms).toISOString());
  const cause =
    since === 'start'
      ? `The clock shows ${shown}, more than a day after the newest entry of this store, which is of ${other}.`
      : `The clock was set while the service ran: it shows ${shown}, and without that it would show ${other}.`;
  const accept = shownMs > otherMs ? 'run counterfoil accept-clock' : 'start the service again';
  return (
    `${cause} Nothing is recorded until it is clear which time is right. ` +
    `If the clock is wrong, set it right. If it is right, ${accept}.`
  );
}
