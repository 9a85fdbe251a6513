import type { World } from '../world.js';

/** How long a caller waits at most, in milliseconds. When the store is away for longer, the caller is refused and decides what to do. */
export const patienceMs = 20_000;

/** The longest pause after the first race that was lost, and after any, in milliseconds. */
const pauses = { firstMs: 8, longestMs: 256 };

/**
 * Waits after another process was quicker: for a random part of a time that doubles with each race. Without chance two processes
 * that have met once would meet each time.
 * @param before how many races were lost one after the other before this one
 */
export async function waitAfterRace({ random, sleep }: Pick<World, 'random' | 'sleep'>, before: number): Promise<void> {
  const [chance = 0] = random(1);
  await sleep((Math.min(pauses.longestMs, pauses.firstMs * 2 ** before) * chance) / 255);
}
