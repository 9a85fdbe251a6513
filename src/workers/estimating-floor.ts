import type { Logger } from 'pino';
import { estimateFloor, isFloorDue } from '../../projections/search/floors.js';
import type { Database } from '../database/database.js';
import type { Job } from './loop.js';
import type { ModelWatch } from './model-watch.js';

const lookMs = 5000;

/**
 * Estimates the floor of a model on a server when the store has grown enough. While memories are embedded again, searches use
 * the floor that is known, or none.
 */
export function estimatingFloor(database: Database, model: string, watch: ModelWatch, log: Pick<Logger, 'info'>): Job {
  return {
    name: "estimating the model's floor",
    napMs: lookMs,
    async work() {
      if (watch.inProgress() || !(await database.read((tx) => isFloorDue(tx, model)))) return false;
      const floor = await database.transaction((tx) => estimateFloor(tx, model));
      log.info({ model, floor }, 'the cosine was estimated below which texts have nothing in common');
      return false;
    },
  };
}
