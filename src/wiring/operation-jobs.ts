import type { Operating } from '../api/services.js';
import type { World } from '../base/world.js';
import { operationKinds } from '../commands/operation-jobs.js';
import type { Database } from '../database/database.js';
import type { Operation } from '../maintenance/command.js';
import { operationJob } from '../maintenance/operation-job.js';
import type { Rebuildable } from '../maintenance/rebuildable.js';
import type { Config } from '../settings/config.js';
import type { Role } from '../settings/roles.js';
import type { KeyStore } from '../tlog/signer.js';
import type { Lookout } from '../workers/lookout.js';
import { type Worker, wakeAll } from '../workers/loop.js';
import { wireMaintenance } from './maintenance.js';

interface Parts extends Pick<Operation, 'ledger' | 'run' | 'requireHome'> {
  readonly background: Database;
  /** For commands, which may last long. */
  readonly slow: Database;
  readonly world: World;
  /** With the clock of this machine, also while that is in doubt. */
  readonly machine: World;
  readonly models: readonly Rebuildable[];
  readonly keys: KeyStore;
  readonly lookout: Lookout;
}

/**
 * The commands of maintenance for the command line, and the workers that carry out those that operators start over HTTP. Each kind
 * has a worker, so that none waits for another kind.
 */
export function wireOperations(config: Config, parts: Parts) {
  const { background: database, slow, world, machine, models, keys, lookout, ...operation } = parts;
  const maintenance = wireMaintenance(config, { ...operation, database: slow, world: machine }, models, keys);
  const process = { owner: world.nonce(), isAlone: config.databaseUrl === undefined };
  const jobs = operationKinds.flatMap((kind) => {
    const command = maintenance.get(kind);
    return command ? [lookout.worker(operationJob({ database, process }, kind, command))] : [];
  });
  const names = models.map(({ name }) => name);
  const readModels = config.elasticsearch ? [...names, 'elasticsearch'] : names;
  const operating: Operating = { readModels, process, wake: wakeAll(jobs) };
  const workers: readonly (readonly [Role, Worker])[] = jobs.map((worker) => ['upkeep', worker] as const);
  return { maintenance, operating, workers };
}
