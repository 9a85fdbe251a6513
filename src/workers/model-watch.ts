import { nextOutdated } from '../../projections/search/due.js';
import { anyWithoutVectors, countOutdated } from '../../projections/search/models.js';
import type { Database } from '../database/database.js';
import type { DueJob } from './lookout.js';

/** How often processes look whether another one has begun or ended this work. */
const watchMs = 5000;

/** Whether some memories may have no vectors of the model in use. */
export interface ModelWatch {
  inProgress(): boolean;
  begin(): void;
  end(): void;
}

export function createModelWatch(): ModelWatch {
  let inProgress = true;
  return {
    inProgress: () => inProgress,
    begin: () => {
      inProgress = true;
    },
    end: () => {
      inProgress = false;
    },
  };
}

/**
 * Looks whether another process has begun re-embedding or has come to its end, for a process that does not do it itself. It begins
 * again after an outage of the embedder.
 */
export function watchingModels(database: Database, model: string, watch: ModelWatch): DueJob {
  return {
    name: 'watching re-embedding',
    due: nextOutdated(model),
    napMs: watchMs,
    async work() {
      if (!watch.inProgress()) {
        if (await database.read(anyWithoutVectors)) watch.begin();
        return false;
      }
      const outdated = await database.read((tx) => countOutdated(tx, model, 1));
      if (outdated === 0) watch.end();
      return false;
    },
  };
}
