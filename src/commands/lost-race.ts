import { pauseAfter } from '../base/backoff.js';
import type { World } from '../base/world.js';

/** How long a caller waits at most, in milliseconds. When the store is away for longer, the caller is refused and decides what to do. */
export const patienceMs = 20_000;

/** The longest pause after the first race that was lost, and after any, in milliseconds. */
const pauses = { firstMs: 8, longestMs: 64 };
/** The longest pause after a race that was won, in milliseconds. */
const longestYieldMs = 1000;

/**
 * Waits after another process was quicker: for a random part of a time that doubles with each race. Without chance two processes
 * that have met once would meet each time.
 * @param before how many races were lost one after the other before this one
 */
export async function waitAfterRace({ random, sleep }: Pick<World, 'random' | 'sleep'>, before: number): Promise<void> {
  const [chance = 0] = random(1);
  await sleep((pauseAfter(pauses, before) * chance) / 255);
}

/**
 * Waits so that other processes append after a race was won: for up to three times the time that an append has taken here. The winner is
 * otherwise ready again before they are, who first have to read what was appended, and may win each time; their callers would wait until
 * their patience ends.
 */
export async function yieldAfterWin({ random, sleep }: Pick<World, 'random' | 'sleep'>, tookMs: number): Promise<void> {
  const [chance = 0] = random(1);
  await sleep(Math.min(longestYieldMs, 1.5 * tookMs * (1 + chance / 255)));
}
