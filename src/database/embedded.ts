import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lockDirectory } from './directory-lock.js';
import { diskFull, watchDiskSpace } from './disk-space.js';
import { openEngine } from './engine.js';
import { makePrivateDirectory, tightenTree } from './private-directory.js';
import { type EmbeddedDatabase, revivingDatabase } from './reviving.js';
import { engineAt, storePlace } from './store-place.js';
import { placeTemplate } from './template.js';

/**
 * Opens the store in a directory, for one process.
 * @param place creates the cluster of a new store, at the directory it is given
 * @throws DirectoryInUse when another process has the directory open
 * @throws UnusableDirectory when the directory cannot hold a store
 */
export async function openEmbedded(dataDir: string, place = placeTemplate): Promise<EmbeddedDatabase> {
  // This applies to the process and all its threads: the database engine would create files that every user may read
  // and write.
  process.umask(0o077);
  makePrivateDirectory(dataDir);
  const lock = await lockDirectory(dataDir);
  const directory = join(dataDir, 'pgdata');
  try {
    // An earlier version, or a copy of the directory, may have left it readable for other users.
    tightenTree(dataDir);
    if (!existsSync(directory)) place(directory);
    return await openPlaced(dataDir, directory, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openPlaced(dataDir: string, directory: string, closed: () => void): Promise<EmbeddedDatabase> {
  const place = storePlace(directory);
  const open = () => engineAt(place, () => openEngine(directory));
  try {
    const database = revivingDatabase(await open(), open);
    return await whileThereIsSpace(database, dataDir, () => {
      place.release();
      closed();
    });
  } catch (error) {
    place.release();
    throw error;
  }
}

/** The same database, which refuses writes while its disk is nearly full. */
async function whileThereIsSpace(
  database: EmbeddedDatabase,
  dataDir: string,
  closed: () => void,
): Promise<EmbeddedDatabase> {
  const space = await watchDiskSpace(dataDir);
  return {
    ...database,
    async transaction(work) {
      space.require();
      return database.transaction(work).catch((error) => {
        throw isDiskFull(error) ? diskFull(error) : error;
      });
    },
    async close() {
      await database.close();
      space.stop();
      closed();
    },
  };
}

/** Whether PostgreSQL has reported a full disk before we noticed it. It has rolled back the transaction then. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === '53100') || isDiskFull(error.cause));
