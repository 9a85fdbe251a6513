import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { accountProjection } from '../projections/account/projection.js';
import { keyBySecretHash } from '../projections/account/queries.js';
import { admitJobs } from '../projections/ingest/jobs.js';
import { memoryProjection } from '../projections/memory/projection.js';
import { namespaceProjection } from '../projections/namespace/projection.js';
import type { Projection } from '../projections/projection.js';
import { receiptsProjection } from '../projections/receipts/projection.js';
import { searchProjection } from '../projections/search/projection.js';
import { codeCache } from '../projections/search/queries.js';
import type { Database } from './adapters/database/database.js';
import { migrate } from './adapters/database/migrate.js';
import { openDatabase } from './adapters/database/open.js';
import { lexicalEmbedder } from './adapters/embeddings/lexical.js';
import { openAiEmbedder } from './adapters/embeddings/openai.js';
import { countTokens, cutToTokens } from './adapters/tokens.js';
import { bootstrap, type Generated, sharedSecret } from './bootstrap.js';
import { stateLoader } from './commands/load.js';
import { createRun } from './commands/run.js';
import { createSearch } from './commands/search.js';
import type { Config } from './config.js';
import { createCursors } from './domain/cursor.js';
import { createIdentify } from './http/identify.js';
import { createMetrics } from './http/metrics.js';
import { createServer } from './http/server.js';
import { databaseLedger } from './ledger/database-ledger.js';
import { prepareTables } from './maintenance/prepare.js';
import { startIngest } from './workers/ingest.js';
import { startReembedding } from './workers/reembed.js';
import { startTidying } from './workers/tidy.js';
import type { World } from './world.js';

/** The read models that a replay can rebuild, in the order in which entries are applied to them. */
export const projections: readonly Projection[] = [
  namespaceProjection,
  accountProjection,
  memoryProjection,
  receiptsProjection,
  searchProjection,
];

/** The store that the settings name, with its tables as this version wants them. */
export async function openStore(config: Config): Promise<Database> {
  const database = await openDatabase(
    config.databaseUrl
      ? { kind: 'server', url: config.databaseUrl }
      : { kind: 'embedded', dataDir: join(config.dataDir) },
  );
  await migrate(database);
  await prepareTables(database, projections);
  return database;
}

export interface App {
  readonly server: FastifyInstance;
  readonly database: Database;
  /** What was generated because the store was empty; null otherwise. */
  readonly generated: Generated | null;
  /** Finishes what is under way and lets go of the store. */
  close(): Promise<void>;
}

/** Everything wired together, by hand and only here. Nothing listens yet. */
export async function createApp(config: Config, world: World, log: Logger, database: Database): Promise<App> {
  const ledger = databaseLedger(database, async (tx, recorded) => {
    for (const projection of projections) {
      // Jobs go before the search rows: indexing holds the job's row, so a delete waits for it and then removes all.
      if (projection === searchProjection) await admitJobs(tx, recorded);
      await projection.apply(tx, recorded);
    }
  });
  const run = createRun(ledger, stateLoader(database), world);
  const generated = await bootstrap({ ledger, database, run, world }, config);
  const cursors = createCursors(await sharedSecret(database, world, 'cursors'));
  const embedder = config.embeddings ? openAiEmbedder(config.embeddings) : lexicalEmbedder();
  const ingest = startIngest({ database, embedder, world, log });
  const tidying = startTidying(database, world, log);
  const read = database.transaction;
  const budget = { count: countTokens, cut: cutToTokens };
  const reembedding = startReembedding({ database, embedder, world, log });
  const search = createSearch({
    ...{ world, run, embedder, arms: config.searchArms, budget, read },
    codes: codeCache(),
    reindexing: reembedding.underWay,
  });
  let stopping = false;
  const server = createServer({
    log,
    services: { world, run, search, cursors, read, wakePipeline: ingest.wake },
    identify: createIdentify((hash) => read((tx) => keyBySecretHash(tx, hash)), world.now),
    operation: {
      ...createMetrics(),
      async missing() {
        if (stopping) return ['the service is stopping'];
        return read((tx) => tx.query('select 1 from chains limit 1')).then(
          () => [],
          () => ['the database does not answer'],
        );
      },
    },
  });
  return {
    server,
    database,
    generated,
    async close() {
      stopping = true;
      await server.close();
      await Promise.all([ingest.stop(), reembedding.stop(), tidying.stop()]);
      await database.close();
    },
  };
}
