import { removeExpired } from '../adapters/oauth/rows.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import type { Job } from './loop.js';

/** How many rows one step removes at most. */
const perStep = 500;

/** Removes what has expired of the authorization server: codes, tokens, questions, grants, and clients without a grant. */
export function sweepingOAuth(database: Pick<Database, 'transaction'>, world: Pick<World, 'now'>): Job {
  return {
    name: 'sweeping-oauth',
    napMs: 10 * 60_000,
    firstMs: 60_000,
    pauseMs: 60_000,
    work: () => database.transaction((tx) => removeExpired(tx, world.now(), perStep)),
  };
}
