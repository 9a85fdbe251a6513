import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, UnusableDirectory } from './private-directory.js';

export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
}

export interface DirectoryLock {
  /**
   * Calling it twice is harmless. The second call closes nothing, because the descriptor's number may belong to another
   * file by then.
   */
  release(): void;
}

/**
 * Locks a data directory for this process, because two PGlites on one directory lose acknowledged writes without an error.
 *
 * It is a lock of the operating system on a file inside the directory. It ends with the process, even if that is
 * killed. Every path to the directory leads to the same file, also through links, bind mounts and shared volumes of
 * containers. The file is never removed, because a process that had opened it before would then lock a file that no
 * other process can see.
 * @throws DirectoryInUse with a sentence that names the directory and, if known, the process that has it open
 * @throws UnusableDirectory when files cannot be locked there
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

/** Loads the package only if it is needed: a service on a PostgreSQL server also runs where the package has no binary. */
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
 * Reads the process id in the file. For a moment it may be that of an earlier holder, and in another container it may
 * mean nothing. It is only shown in a message.
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
