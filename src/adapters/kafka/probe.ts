import type { Problem } from './problem.js';
import { within } from './within.js';

/** How long an answer of the brokers counts, and how long a caller waits for a newer one. */
const everyMs = 5000;
const waitMs = 800;

/** Looks now and then whether the brokers can be used. */
export function createProbe(look: () => Promise<Problem | null>) {
  let known: { at: number; problem: Problem | null } = { at: Number.NEGATIVE_INFINITY, problem: null };
  let looking: Promise<void> | undefined;

  async function lookNow(): Promise<void> {
    const problem = await look();
    known = { at: performance.now(), problem };
    looking = undefined;
  }

  return {
    /** Looks, and waits for the answer. */
    async first(): Promise<Problem | null> {
      await lookNow();
      return known.problem;
    },
    /** The result of the last look, and of a new one when that is some seconds old. */
    async lately(): Promise<Problem | null> {
      if (performance.now() - known.at >= everyMs) {
        looking ??= lookNow();
        await within(waitMs, looking).catch(() => undefined);
      }
      return known.problem;
    },
  };
}
