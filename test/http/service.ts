import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { realWorld, type World } from '../../src/base/world.js';
import type { OpenedDatabase } from '../../src/database/database.js';
import { readConfig } from '../../src/settings/config.js';
import { type App, createApp } from '../../src/wiring/app.js';
import { openStore } from '../../src/wiring/start/store.js';
import { preparedStoreAddress } from '../support/new-store.js';
import { onEngines } from '../support/stores.js';
import { type Asked, ask } from './ask.js';

export const apiKey = 'ak_test00000000000000000000000000000';

/** The real world, in which a password is hashed with as little work as the library allows. */
export const testWorld: World = { ...realWorld, passwordCosts: { memoryCost: 1024, timeCost: 2, parallelism: 1 } };

/**
 * The same, where a second is a tenth of it: workers look for work ten times a second instead of once, and what cannot be
 * recorded is refused after a tenth of the time.
 */
export const eagerWorld: World = {
  ...testWorld,
  sleep: (ms, signal) => testWorld.sleep(ms === 1000 ? 100 : ms, signal),
};

/** The same world after time has passed, by every clock that there is: that of a machine and that of a server. */
export const laterWorld = (world: World, passedMs: () => number): World => ({
  ...world,
  now: () => new Date(world.now().getTime() + passedMs()),
  uptime: () => world.uptime() + passedMs(),
});

/** The service in this process on a store of its own, spoken to as any client would. */
export interface Service {
  readonly app: App;
  /** The lines of its log, which are printed too. */
  readonly logged: readonly string[];
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Waits until every job has ended. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export type Reply = Pick<Asked, 'status' | 'text' | 'json'>;

/**
 * @param env may name a DATA_DIR or a DATABASE_URL, which then is left as it is when the service stops; without, the service
 * has a store of its own, of the kind that this run is for
 */
export async function startService(env: Record<string, string> = {}, world: World = testWorld): Promise<Service> {
  const own = env.DATA_DIR === undefined && env.DATABASE_URL === undefined ? await preparedStoreAddress() : null;
  const directory = own?.directory ?? mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
  // Its clients of the engines take a while to load, and most runs need none of them.
  const engines = onEngines && own !== null ? await (await import('../support/engine-store.js')).engineStore() : null;
  const config = readConfig({
    ...engines?.env,
    DATA_DIR: directory,
    DATABASE_URL: own?.store.kind === 'server' ? own.store.url : undefined,
    LOG_LEVEL: 'error',
    BOOTSTRAP_API_KEY: apiKey,
    RATE_LIMITS: 'off',
    OTS_CALENDARS: 'off',
    // As it is by default, but for a log on a server, which begins only under an address that is set.
    BASE_URL: `http://127.0.0.1:${env.PORT ?? 8080}`,
    ...env,
  });
  const logged: string[] = [];
  const write = (line: string) => {
    logged.push(line);
    process.stdout.write(line);
  };
  const log = pino({ level: config.logLevel }, { write });
  const store = withClockOf(world, await openStore(config));
  const app = await createApp(config, world, log, store).catch(async (error) => {
    await store.close();
    throw error;
  });
  reachedAsAtItsAddress(app, config.baseUrl);
  app.start();
  await app.server.listen({ host: '127.0.0.1', port: 0 });
  const origin = app.server.listeningOrigin;
  const call: Service['call'] = (method, path, body, headers = {}) =>
    ask(origin, method, path, {
      headers: { authorization: `Bearer ${apiKey}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    app,
    logged,
    call,
    async settled() {
      // Two minutes at least, because a busy machine needs one for five texts of 1 MiB. Each test has a limit of its own.
      for (let tries = 0; tries < 4800; tries += 1) {
        const { json } = await call('GET', '/v1/ingest?stage=queued,extracting,chunking,embedding,indexing&limit=1');
        if (json.data.length === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error('the pipeline does not come to an end');
    },
    async stop() {
      await app.close();
      rmSync(directory, { recursive: true, force: true });
      await own?.remove();
      await engines?.remove();
    },
  };
}

/**
 * Tests listen on any free port, and `/mcp` takes only the port of BASE_URL. So their requests for this machine name that port, as they would
 * behind a proxy that keeps it.
 */
function reachedAsAtItsAddress({ server }: App, baseUrl: string): void {
  const { hostname, host } = new URL(baseUrl);
  if (hostname !== '127.0.0.1') return;
  server.server.prependListener('request', ({ url = '', headers, socket }) => {
    const asked = URL.canParse(`http://${headers.host}`) ? new URL(`http://${headers.host}`) : null;
    // The socket knows the port also while the server stops and listens no longer.
    if (!url.startsWith('/mcp') || asked === null || Number(asked.port) !== socket.localPort) return;
    // Each name of this machine stays what it is.
    if (['127.0.0.1', 'localhost', '[::1]'].includes(asked.hostname))
      headers.host = `${asked.hostname}:${new URL(`http://${host}`).port}`;
  });
}

/** The clock of the server shows what has passed in this world, however wrong the clock of the process is. */
function withClockOf(world: World, store: OpenedDatabase): OpenedDatabase {
  const { serverClock } = store;
  const passedMs = () => world.uptime() - realWorld.uptime();
  return { ...store, serverClock: serverClock && (async () => (await serverClock()) + passedMs()) };
}
