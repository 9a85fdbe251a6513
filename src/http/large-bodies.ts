import { createTurns } from '../domain/turns.js';

/** Bodies over this wait for their turn: most requests are far below, and nobody notices a turn more or less of them. */
const largeBytes = 256 * 1024;
/** Measured: an upload of 5 MB takes 28 MB while it is parsed, decoded and sent to the process that reads it. */
const turnsTaken = { atOnce: 8, heldBytes: 64 * 1024 * 1024 };

/** Does the work at once, or in its turn when the body is large. @throws Refusal rate_limited */
export type LargeBodies = <T>(body: Uint8Array, work: () => Promise<T>) => Promise<T>;

/** What keeps many large bodies at once from taking all memory: few are parsed at a time, and what waits is bounded. */
export function createLargeBodies(): LargeBodies {
  const turns = createTurns(turnsTaken);
  return (body, work) => (body.length > largeBytes ? turns(body.length, work) : work());
}
