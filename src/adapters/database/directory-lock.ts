import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, UnusableDirectory } from '../private-directory.js';

export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
}

export interface DirectoryLock {
  /** Calling it twice is harmless: by then the number of the descriptor may be another file's. */
  release(): void;
}

/**
 * Keeps a second process out of a data directory: two PGlites on one directory lose acknowledged writes without an error.
 *
 * It is a lock of the operating system on a file inside the directory. It ends with the process, however that ends, and
 * every path to the directory leads to the same file: links, bind mounts and containers that share it included. The file is
 * never removed, because a process that had opened it before would then lock a file that nobody else sees.
 * @throws DirectoryInUse with a sentence that names the directory and, where it is known, the process that holds it
 * @throws UnusableDirectory when no lock can be had there
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const tryLock = await loadLock();
  const path = join(directory, 'lock');
  const descriptor = openFile(directory, path);
  try {
    if (!isLocked(tryLock, directory, descriptor)) {
      throw new DirectoryInUse(`${directory} is in use by ${holderOf(path)}. Stop it first, or set another DATA_DIR.`);
    }
    ftruncateSync(descriptor);
    writeSync(descriptor, `${process.pid}\n`, 0);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  let held = true;
  return {
    release() {
      if (held) closeSync(descriptor);
      held = false;
    },
  };
}

type TryLock = (descriptor: number) => boolean;

/** Loaded only where it is needed: a service on a PostgreSQL server runs also where the package has no binary. */
async function loadLock(): Promise<TryLock> {
  try {
    return (await import('fs-native-extensions')).default.tryLock;
  } catch (error) {
    throw new UnusableDirectory(
      `Directories cannot be locked on this platform (${process.platform} ${process.arch}), and without a lock two processes destroy an embedded store. Set DATABASE_URL, or use a Linux with glibc.`,
      { cause: error },
    );
  }
}

function openFile(directory: string, path: string): number {
  try {
    return openSync(path, 'a+', 0o600);
  } catch (error) {
    throw new UnusableDirectory(
      `${directory} cannot be written by this user (${codeOf(error)}). Set DATA_DIR to a directory on a local disk that it may write.`,
      { cause: error },
    );
  }
}

function isLocked(tryLock: TryLock, directory: string, descriptor: number): boolean {
  try {
    return tryLock(descriptor);
  } catch (error) {
    throw new UnusableDirectory(
      `${directory} is on a file system that has no locks (${codeOf(error)}), and without a lock two processes destroy a store. Set DATA_DIR to a directory on a local disk.`,
      { cause: error },
    );
  }
}

/**
 * The number in the file is the holder's, or that of an earlier one for the moment until the holder has written its own.
 * Nothing is decided by it; in another container it may mean nothing.
 */
function holderOf(path: string): string {
  const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
  try {
    process.kill(pid, 0);
    return `process ${pid}`;
  } catch (error) {
    return codeOf(error) === 'EPERM' ? `process ${pid}` : 'another process';
  }
}
