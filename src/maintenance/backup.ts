import { constants, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '../database/database.js';
import { syncPath, syncTree } from '../database/fsync.js';
import { codeOf, makePrivateDirectory, UnusableDirectory } from '../database/private-directory.js';
import type { MaintenanceCommand } from './command.js';

/**
 * Copies the embedded store and the signing keys into a new directory, which a service can be started on: `<directory>`.
 * The database does nothing else meanwhile and has every acknowledged write in its log, so the copy is what a power cut
 * would leave. Callers wait as long as it takes to copy the files.
 * @param dataDir null where the store is on a server, whose own tools make backups of it
 * @throws Error with a sentence about what is wrong; then there is no backup in that directory
 */
export function backupTo(database: Database, dataDir: string | null): MaintenanceCommand {
  return async ([directory = '']) => {
    if (dataDir === null) {
      throw new Error('The store is on a PostgreSQL server: copy DATA_DIR/keys, and then use pg_dump.');
    }
    if (existsSync(directory) && readdirSync(directory).length > 0) {
      throw new Error(`${directory} is not empty. Give a directory that is not there yet.`);
    }
    const partial = `${directory}.partial`;
    makeEmpty(partial);
    try {
      await database.maintain('checkpoint');
      await database.transaction(async () => {
        // The keys come first: what they have signed last must be in the store, which may only be newer. Nothing is written to
        // the store meanwhile, so it names no turn that the copied record does not know.
        await copyInto(partial, dataDir, 'keys');
        await copyInto(partial, dataDir, 'pgdata');
      });
      syncTree(partial);
      rmSync(directory, { recursive: true, force: true });
      renameSync(partial, directory);
      syncPath(dirname(directory));
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      throw error;
    }
    return { ok: true, text: `The store and the keys that sign its log are in ${directory}.` };
  };
}

/** Removes the rest of an attempt that was killed. */
function makeEmpty(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
    makePrivateDirectory(directory);
  } catch (error) {
    const reason = codeOf(error instanceof UnusableDirectory && error.cause ? error.cause : error);
    throw new Error(`${directory} cannot be made by the user of the store (${reason}). Give another directory.`);
  }
}

async function copyInto(target: string, dataDir: string, name: string): Promise<void> {
  // Before the first checkpoint there are no keys.
  if (!existsSync(join(dataDir, name))) return;
  // Where the file system can share the blocks of two files until one is changed, copying takes no time and no space.
  await cp(join(dataDir, name), join(target, name), { recursive: true, mode: constants.COPYFILE_FICLONE });
}
