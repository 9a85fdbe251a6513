import type { CloseBody } from '../../contracts/entries/registry.js';
import type { World } from '../base/world.js';
import { closingOf, readDay } from '../domain/market/indices/days.js';
import type { Command } from './command.js';
import { system } from './open-workspace.js';
import { nothing, recording } from './record.js';

/** How long after the moment at which a day closes its entry is recorded at the earliest. */
export const closeDelayMs = 5000;

/**
 * Records the close of a day in the registry, once however many processes do it: each day follows the one before it.
 * The answer says whether this command has recorded it.
 */
export function closeDay(world: World, close: CloseBody): Command<boolean> {
  const record = recording(world);
  const day = readDay(close.day);
  return {
    actor: system,
    reads: { closes: true },
    decide({ closes: { lastDay } }, recordedAt) {
      const follows = lastDay === null || day === readDay(lastDay) + 1;
      const isTime = Date.parse(recordedAt) >= closingOf(day) + closeDelayMs;
      const isNext = follows && isTime;
      return isNext ? record.entry({ kind: 'index.closed', body: close }, true) : nothing(false);
    },
  };
}
