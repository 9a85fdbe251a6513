import { statfs } from 'node:fs/promises';
import { limits } from '../../contracts/limits.js';
import { StoreFull } from './database.js';

const intervalMs = 500;

/** The bytes that an ordinary user may still write to the disk of a directory. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

interface DiskSpace {
  /** @throws StoreFull while the disk has too little free space for writes */
  require(): void;
  stop(): void;
}

/**
 * Watches the free space of a disk. The engine fails when the disk is full, and needs space on the same disk to
 * recover, so writes are refused before the disk is full.
 */
export async function watchDiskSpace(directory: string): Promise<DiskSpace> {
  let short = false;
  async function measure(): Promise<void> {
    try {
      short = (await freeBytes(directory)) < limits.freeDiskBytes;
    } catch {
      // A disk that does not answer causes an error as soon as it is used.
    }
  }
  await measure();
  const timer = setInterval(measure, intervalMs).unref();
  return {
    require() {
      if (short) throw diskFull();
    },
    stop: () => clearInterval(timer),
  };
}

/** @param cause the error of the engine, if the engine has noticed it first */
export function diskFull(cause?: unknown): StoreFull {
  const megabytes = limits.freeDiskBytes / 1024 ** 2;
  return new StoreFull(
    `The disk of the store is full: less than ${megabytes} MiB are free. Nothing was written. Writes are refused until there is space again; reads still work.`,
    cause === undefined ? {} : { cause },
  );
}
