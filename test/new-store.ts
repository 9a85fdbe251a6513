import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../src/adapters/database/open.js';
import { dropDatabase, freshDatabase } from './fresh-database.js';

/** Whether this run of the suites is the one on a PostgreSQL server (see vitest.config.ts). */
export const onServer = process.env.STORE === 'server';

/** An empty store of the kind that this run is for, and the directory of the embedded one. */
export async function newStoreAddress(): Promise<{ store: Store; directory: string; remove(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
  const store: Store = onServer
    ? { kind: 'server', url: await freshDatabase() }
    : { kind: 'embedded', dataDir: directory };
  return {
    store,
    directory,
    async remove() {
      rmSync(directory, { recursive: true, force: true });
      if (store.kind === 'server') await dropDatabase(store.url);
    },
  };
}
