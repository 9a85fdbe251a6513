import { join } from 'node:path';
import pino from 'pino';
import { project } from '../../projections/all.js';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { openStreams } from '../../src/adapters/eventstore/streams.js';
import { realWorld } from '../../src/base/world.js';
import { provision } from '../../src/commands/change-workspace.js';
import { beginChain, openWorkspace } from '../../src/commands/open-workspace.js';
import { createRun } from '../../src/commands/run.js';
import { stateLoader } from '../../src/commands/state/state.js';
import type { OpenedDatabase } from '../../src/database/database.js';
import { migrate } from '../../src/database/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import { databaseLedger } from '../../src/ledger/engines/database.js';
import { eventStoreLedger } from '../../src/ledger/engines/eventstore.js';
import { catchUp, catchUpAfter } from '../../src/ledger/eventstore/catch-up.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { prepareModels } from '../../src/maintenance/prepare-models.js';
import { rebuildables } from '../../src/maintenance/rebuildable.js';
import { startEventStoreProcess } from '../../test/support/eventstore-server/process.js';
import { machineLine, quantile, table } from './machine.js';
import { temporaryDirectory } from './service.js';

const clients = 32;
const prefix = 'bench';

interface Measured {
  readonly perSecond: number;
  readonly ms: readonly number[];
}

/**
 * Commands with one entry each, decided and appended by 32 clients over 1 and over 8 workspaces: on the database, and on the
 * protocol of EventStoreDB with its server in a process of its own, where each append is staged in the database first. Then the
 * entries are applied to an empty store. There is no HTTP, and a command has no text.
 */
export async function benchLedger(count: number, env: Readonly<Record<string, string>>): Promise<void> {
  const [first, second] = [temporaryDirectory(), temporaryDirectory()];
  const server = await startEventStoreProcess(join(first.path, 'streams'));
  const streams = openStreams(server.url);
  const { DATABASE_URL: url } = env;
  const database = await openStore(
    url === undefined ? { kind: 'embedded', dataDir: first.path } : { kind: 'server', url },
  );
  const replica = await openStore({ kind: 'embedded', dataDir: second.path });
  try {
    const onDatabase = databaseLedger(database, project);
    const onStreams = eventStoreLedger({ database, project, streams, prefix });
    const rows: (string | number)[][] = [];
    for (const workspaces of [1, 8]) {
      const base = await measure(database, onDatabase, workspaces, count);
      const staged = await measure(database, onStreams, workspaces, count);
      rows.push(row('the database', workspaces, base, base), row('EventStoreDB protocol', workspaces, staged, base));
    }
    const parts = { database: replica, project, streams, prefix };
    const since = performance.now();
    let applied = 0;
    await catchUpAfter(parts, null, async (chain) => {
      applied += (await catchUp(parts, chain)).applied;
    });
    const perSecond = applied / ((performance.now() - since) / 1000);
    console.log(
      table([
        [`${machineLine()}, ${url === undefined ? 'embedded database' : 'PostgreSQL server'}`],
        [],
        ['ledger', 'workspaces', 'writes per second', 'ratio', 'p50 ms', 'p99 ms'],
        ...rows,
        ['catch-up of an empty store, entries', '', perSecond.toFixed(0)],
      ]),
    );
  } finally {
    await Promise.all([database.close(), replica.close(), streams.close()]);
    await server.stop();
    first.remove();
    second.remove();
  }
}

const row = (name: string, workspaces: number, { perSecond, ms }: Measured, base: Measured) => [
  name,
  workspaces,
  perSecond.toFixed(0),
  (perSecond / base.perSecond).toFixed(2),
  quantile(ms, 0.5).toFixed(1),
  quantile(ms, 0.99).toFixed(1),
];

async function openStore(store: Parameters<typeof openDatabase>[0]): Promise<OpenedDatabase> {
  const database = await openDatabase(store);
  await migrate(database);
  await prepareModels(database, rebuildables(lexicalEmbedder()), pino({ level: 'silent' }));
  return database;
}

async function measure(database: OpenedDatabase, ledger: Ledger, count: number, writes: number): Promise<Measured> {
  const run = createRun(ledger, stateLoader(database.prompt, realWorld.now), realWorld);
  const ids = Array.from({ length: count }, () => realWorld.id());
  for (const id of ids) {
    await beginChain(ledger, realWorld, id);
    await run(id, openWorkspace(realWorld, { email: `${id}@example.org`, passwordHash: 'none' }, id));
  }
  let next = 0;
  const ms: number[] = [];
  const client = async () => {
    while (next < writes) {
      const at = next;
      next += 1;
      const since = performance.now();
      await run(ids[at % ids.length] ?? '', provision(realWorld, { plan: 'pro', memory_api: at % 2 === 0 }));
      ms.push(performance.now() - since);
    }
  };
  const since = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return { perSecond: writes / ((performance.now() - since) / 1000), ms };
}
