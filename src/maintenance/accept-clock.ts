import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { createSettledTimes } from '../ledger/settled.js';
import type { MaintenanceCommand } from './command.js';

/** The public feeds settle the ledger up to this time before now, so that an append which has just taken its time is not late. */
const behindMs = 5000;
/** An append that has not ended keeps the settled time where it is for a moment. */
const tries = 20;
const pauseMs = 250;

/**
 * Accepts the clock of this machine: the ledger is settled up to its time, which every process on the store sees that waits because of
 * its own clock.
 */
export function acceptClock(database: Database, world: Pick<World, 'now'>): MaintenanceCommand {
  const { settle } = createSettledTimes(database);
  return async () => {
    const shown = world.now();
    const wanted = shown.getTime() - behindMs;
    let settled = await settle(wanted);
    for (let tried = 1; settled < wanted && tried < tries; tried += 1) {
      await pause(pauseMs);
      settled = await settle(wanted);
    }
    if (settled < wanted) throw new Error('A write has not ended yet. Run the command again in a moment.');
    if (settled > shown.getTime()) {
      const newest = new Date(settled).toISOString();
      return {
        ok: true,
        text: `The store holds times up to ${newest}, later than the clock shows. New entries have that time until then.`,
      };
    }
    const text = `The clock is accepted: it shows ${shown.toISOString()}. A service that waits because of it continues within two seconds.`;
    return { ok: true, text };
  };
}
