import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/database/open.js';
import { dropDatabase, freshDatabase } from './fresh-database.js';
import { quickDirectory } from './memory-disk.js';
import { preparedDatabase, preparedDirectory } from './prepared-store.js';
import { onServer } from './stores.js';

export interface StoreAddress {
  readonly store: Store;
  /** Of the embedded store, or for the files that a service keeps beside a server. */
  readonly directory: string;
  remove(): Promise<void>;
}

/** An empty store of the kind that this run is for. */
export async function newStoreAddress(): Promise<StoreAddress> {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
  return addressOf(directory, onServer ? await freshDatabase() : null);
}

/** A store of the kind that this run is for, with its tables and nothing in them: quicker than making the tables. */
export async function preparedStoreAddress(): Promise<StoreAddress> {
  const directory = quickDirectory();
  if (onServer) return addressOf(directory, await preparedDatabase());
  await preparedDirectory(directory);
  return addressOf(directory, null);
}

function addressOf(directory: string, url: string | null): StoreAddress {
  return {
    store: url === null ? { kind: 'embedded', dataDir: directory } : { kind: 'server', url },
    directory,
    async remove() {
      rmSync(directory, { recursive: true, force: true });
      if (url !== null) await dropDatabase(url);
    },
  };
}
