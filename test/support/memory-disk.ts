import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux has a file system in memory. */
const inMemory = '/dev/shm';

/** The type of such a file system. Containers may have another one there. */
const tmpfs = 0x01021994;

/** A store has 25 MB and grows with its write-ahead log. Where a container has little memory for files, there is none for stores. */
const enough = 2 * 1024 ** 3;

const prefix = 'counterfoil-test-';
let isTidy = false;

/**
 * A directory for a store that a test needs until it ends. It is in memory where there is room: on a disk, most of the time that a
 * service takes to start went into copying its store and into syncing its files.
 */
export function quickDirectory(): string {
  if (!hasRoom()) return mkdtempSync(join(tmpdir(), prefix));
  if (!isTidy) removeRemains();
  isTidy = true;
  return mkdtempSync(join(inMemory, `${prefix}${process.pid}-`));
}

function hasRoom(): boolean {
  try {
    const { type, bsize, bavail } = statfsSync(inMemory);
    return type === tmpfs && bsize * bavail > enough;
  } catch {
    return false;
  }
}

/** A run that was killed leaves its stores, which would occupy memory until the machine is restarted. */
function removeRemains(): void {
  for (const name of readdirSync(inMemory)) {
    const [, pid] = /^counterfoil-test-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(inMemory, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user runs, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
