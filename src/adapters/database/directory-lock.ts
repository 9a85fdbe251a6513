import { createHash } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
}

/** Socket paths longer than this are cut off by the operating system without an error. */
const maxSocketPath = 100;

/**
 * Keeps a second process out of a data directory: two PGlites on one directory lose acknowledged writes without an error.
 * The lock is a listening unix socket. It ends with the process however that ends, and unlike a file with a process id it
 * cannot be mistaken for a living process that has got the same number.
 * @throws DirectoryInUse with a sentence that names the directory and the process that holds it
 */
export async function lockDirectory(directory: string): Promise<{ release(): Promise<void> }> {
  const path = socketPath(directory);
  const holder = await whoHolds(path);
  if (holder !== null) {
    throw new DirectoryInUse(`${directory} is in use by process ${holder}. Stop it first, or set another DATA_DIR.`);
  }
  rmSync(path, { force: true });
  const server = createServer((socket) => socket.on('error', () => undefined).end(`${process.pid}`));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  server.unref();
  const { ino } = statSync(path);
  // Of two that found the same dead socket, the later one has removed the earlier one's: the earlier one must give way.
  await pause(30);
  if (statSync(path, { throwIfNoEntry: false })?.ino !== ino) {
    server.close();
    throw new DirectoryInUse(`${directory} is being opened by another process at this moment.`);
  }
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function socketPath(directory: string): string {
  const path = join(directory, 'lock.sock');
  if (path.length <= maxSocketPath) return path;
  return join(tmpdir(), `counterfoil-${createHash('sha256').update(directory).digest('hex').slice(0, 24)}.sock`);
}

/** The process id of the holder, or null when nobody listens. */
function whoHolds(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    let said = '';
    const socket = createConnection(path);
    socket.on('data', (data) => {
      said += data.toString('utf8');
    });
    socket.on('end', () => resolve(said || 'unknown'));
    // Refused or absent: the socket of a process that is gone.
    socket.on('error', () => resolve(null));
  });
}
