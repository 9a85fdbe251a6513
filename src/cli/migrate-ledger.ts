import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openStreams } from '../adapters/eventstore/streams.js';
import { StreamsUnavailable } from '../ledger/eventstore/streams.js';
import type { OnLabelledProgress } from '../maintenance/fsck.js';
import { moveToDatabase, moveToStreams } from '../maintenance/migrate-ledger.js';
import type { Config } from '../settings/config.js';
import { showProgress } from './progress.js';
import { requireAlone } from './require-alone.js';
import { readSettings } from './settings.js';
import { CannotStart, openStoreOf } from './start-faults.js';
import { terminal } from './terminal.js';

const engines = ['eventstore', 'database'] as const;
type Engine = (typeof engines)[number];

/**
 * Moves the ledger of the store of the settings to another engine. The exit code is 0, or 2 when it cannot run or was
 * interrupted; then the same engine holds the ledger as before, and the command can be repeated.
 */
export async function migrateLedger(to: string | undefined): Promise<void> {
  const progress = showProgress();
  try {
    const engine = engines.find((one) => one === to);
    if (engine === undefined) throw new CannotStart('Say where the ledger moves: --to eventstore or --to database.');
    const text = await migrateTo(readSettings(), engine, progress.report);
    progress.stop();
    terminal.out(text);
  } catch (error) {
    progress.stop();
    terminal.err(`counterfoil: ${sentenceOf(error)}`);
    process.exitCode = 2;
  }
}

async function migrateTo(config: Config, engine: Engine, onProgress: OnLabelledProgress): Promise<string> {
  const { eventStore, databaseUrl, dataDir } = config;
  if (!eventStore) {
    throw new CannotStart('EVENTSTORE_URL is missing: it names the streams that the ledger moves to or from.');
  }
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'pgdata')))
    throw new CannotStart(`There is no store in ${dataDir}.`);
  const streams = openStreams(eventStore.url);
  try {
    const database = await openStoreOf(config);
    try {
      await requireAlone(database);
      const move = { database, streams, prefix: eventStore.prefix, onProgress };
      return await (engine === 'eventstore' ? moveToStreams(move) : moveToDatabase(move));
    } finally {
      await database.close();
    }
  } finally {
    await streams.close();
  }
}

function sentenceOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  if (!(error instanceof StreamsUnavailable)) return said;
  return `${said.replace(/\.?$/, '.')} The engine of the ledger was not changed. Repeat the command: it continues where it was.`;
}
