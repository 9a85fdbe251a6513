import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbedder } from '../adapters/embeddings/open.js';
import { realWorld } from '../base/world.js';
import type { Outcome } from '../maintenance/command.js';
import type { OnLabelledProgress } from '../maintenance/fsck.js';
import { rebuildables } from '../maintenance/rebuildable.js';
import type { Config } from '../settings/config.js';
import { wireMaintenance } from '../wiring/maintenance.js';
import { openLedger } from '../wiring/start/ledger.js';
import { openKeys } from '../wiring/start/store.js';
import { worldOnStore } from '../workers/clock.js';
import { callControl } from './control.js';
import { showProgress } from './progress.js';
import { readSettings } from './settings.js';
import { openStoreOf } from './start-faults.js';
import { printable, terminal } from './terminal.js';

/**
 * Runs a maintenance command: in the service if that has opened the embedded store, otherwise in this process. The
 * result is written to stdout and progress to stderr. The exit code is 0, 1 when a fault was found, 3 when deleted texts may
 * remain in places that the command cannot reach, or 2 when it cannot
 * run.
 */
export async function runMaintenance(command: string, args: readonly string[]): Promise<void> {
  const progress = showProgress();
  try {
    const outcome = await maintenanceOutcome(command, args, progress.report);
    progress.stop();
    terminal.out(printable(outcome.text));
    process.exitCode = outcome.ok ? 0 : outcome.remains ? 3 : 1;
  } catch (error) {
    progress.stop();
    terminal.err(printable(`counterfoil: ${error instanceof Error ? error.message : String(error)}`));
    process.exitCode = 2;
  }
}

/** The same without output. @throws when it cannot run */
export async function maintenanceOutcome(
  command: string,
  args: readonly string[],
  onProgress: OnLabelledProgress = () => undefined,
): Promise<Outcome> {
  const config = readSettings();
  return (await inService(config, command, args, onProgress)) ?? (await inProcess(config, command, args, onProgress));
}

async function inService(
  config: Config,
  command: string,
  args: readonly string[],
  onProgress: OnLabelledProgress,
): Promise<Outcome | null> {
  if (config.databaseUrl !== undefined) return null;
  // This is checked before anything is opened, because a command must not create a store.
  if (!existsSync(join(config.dataDir, 'pgdata'))) throw new Error(`There is no store in ${config.dataDir}.`);
  return callControl(config.dataDir, { command, args }, onProgress);
}

/** The command itself ends with the error that would be logged. */
const silent = { error: () => undefined, info: () => undefined };

async function inProcess(
  config: Config,
  command: string,
  args: readonly string[],
  onProgress: OnLabelledProgress,
): Promise<Outcome> {
  const database = await openStoreOf(config);
  const world = await worldOnStore(realWorld, database);
  const { close, ...opened } = await openLedger(config, database, world, silent);
  try {
    const keys = openKeys(config, realWorld);
    const operation = { database, world: realWorld, ...opened };
    const models = rebuildables(openEmbedder(config.embeddings));
    const run = wireMaintenance(config, operation, models, keys).get(command);
    if (!run) throw new Error(`There is no command ${command}.`);
    return await run(args, onProgress);
  } finally {
    await close();
    await database.close();
  }
}
