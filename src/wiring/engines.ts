import type { EngineHealth } from '../adapters/gauges/engines.js';
import type { Role } from '../settings/roles.js';
import type { Worker } from '../workers/loop.js';

/**
 * An engine besides the database. Only the database and the ledger decide whether the service starts and is ready; when
 * another engine is away, the service says so and continues.
 */
export interface Engine {
  readonly workers: readonly (readonly [Role, Worker])[];
  /** Never fails: an engine that does not answer is a problem that it names. */
  health(): Promise<EngineHealth>;
  /** Called after the workers have stopped. */
  close(): Promise<void>;
}

/** Every engine of the settings, as one. */
export function allEngines(engines: readonly Engine[]) {
  return {
    workers: engines.flatMap(({ workers }) => workers),
    health: () => Promise.all(engines.map((engine) => engine.health())),
    close: async () => {
      await Promise.all(engines.map((engine) => engine.close()));
    },
  };
}
