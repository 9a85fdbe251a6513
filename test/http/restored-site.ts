import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOn, dropDatabase, freshDatabase } from '../support/fresh-database.js';
import { preparedDirectory } from '../support/prepared-store.js';
import { onServer } from '../support/stores.js';
import { type Service, startService } from './service.js';

/** A service whose store can be set back to an earlier state, while its keys stay as they are. */
export interface Site {
  readonly keys: string;
  /** The settings of the service, for commands. */
  env(): Record<string, string>;
  start(): Promise<Service>;
  /** Keeps the state of the store. No service may run. */
  dump(): Promise<void>;
  /** Goes back to the last state that was kept. No service may run. */
  restore(): Promise<void>;
  remove(): Promise<void>;
}

export async function newSite(): Promise<Site> {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-site-'));
  const store = onServer ? await serverStore() : await embeddedStore(directory);
  const env = () => ({ DATA_DIR: directory, BASE_URL: 'http://log.example.org', OTS_CALENDARS: 'off', ...store.env() });
  return {
    ...store,
    keys: join(directory, 'keys'),
    env,
    start: () => startService(env()),
    async remove() {
      await store.remove();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

type Store = Pick<Site, 'dump' | 'restore' | 'remove'> & { env(): Record<string, string> };

async function embeddedStore(directory: string): Promise<Store> {
  await preparedDirectory(directory);
  const [store, kept] = [join(directory, 'pgdata'), join(directory, 'kept')];
  const replace = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true });
  };
  return {
    env: () => ({}),
    dump: async () => replace(store, kept),
    restore: async () => replace(kept, store),
    remove: async () => undefined,
  };
}

async function serverStore(): Promise<Store> {
  const made = [await freshDatabase()];
  let [current = '', kept = ''] = made;
  const copy = async (of: string) => {
    const url = await freshDatabase(databaseOn(of));
    made.push(url);
    return url;
  };
  return {
    env: () => ({ DATABASE_URL: current }),
    async dump() {
      kept = await copy(current);
    },
    async restore() {
      current = await copy(kept);
    },
    async remove() {
      for (const url of made) await dropDatabase(url);
    },
  };
}
