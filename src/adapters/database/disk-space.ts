import { statfs } from 'node:fs/promises';
import { limits } from '../../../contracts/limits.js';
import { StoreFull } from './database.js';

const lookMs = 500;

export interface DiskSpace {
  /** @throws StoreFull while too little is left of the disk to begin anything that writes */
  require(): void;
  stop(): void;
}

/**
 * Watches how much of a disk is left. The engine does not survive a full one, and what it needs to come back it needs on
 * that same disk, so writes end before it is full.
 */
export async function watchDiskSpace(directory: string): Promise<DiskSpace> {
  let short = false;
  async function look(): Promise<void> {
    try {
      const { bavail, bsize } = await statfs(directory);
      short = bavail * bsize < limits.freeDiskBytes;
    } catch {
      // A disk that does not even say that will say what is wrong with it when it is used.
    }
  }
  await look();
  const timer = setInterval(look, lookMs).unref();
  return {
    require() {
      if (short) throw diskFull();
    },
    stop: () => clearInterval(timer),
  };
}

/** @param cause what the engine said, when it has found out by itself */
export function diskFull(cause?: unknown): StoreFull {
  const megabytes = limits.freeDiskBytes / 1024 ** 2;
  return new StoreFull(
    `The disk of the store is full: less than ${megabytes} MiB are free. Nothing was written, and nothing is until there is space again; reads go on.`,
    cause === undefined ? {} : { cause },
  );
}
