import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { StoreMoved } from './database.js';
import type { Engine } from './engine.js';

/** The directory of an opened store, as its path led to it then. */
interface StorePlace {
  /** Null while the path leads to the same directory. It takes some microseconds. */
  fault(): StoreMoved | null;
  /** Calling it twice is harmless. */
  release(): void;
}

/**
 * Remembers which directory is at a path. It stays open, so that the system cannot give its number to another directory after it
 * was deleted.
 */
export function storePlace(path: string): StorePlace {
  const descriptor = openSync(path, 'r');
  const opened = fstatSync(descriptor, { bigint: true });
  const isThere = () => {
    try {
      const found = statSync(path, { bigint: true });
      return found.dev === opened.dev && found.ino === opened.ino;
    } catch {
      // The engine opens files by their paths too, so it can do no more than this.
      return false;
    }
  };
  let held = true;
  return {
    fault: () => (isThere() ? null : new StoreMoved(sentence)),
    release() {
      if (held) closeSync(descriptor);
      held = false;
    },
  };
}

/** Callers get it too, so it does not name the path. */
const sentence =
  'The directory of the store (DATA_DIR) was moved, deleted or replaced while the service was running, so nothing can be written ' +
  'or read. Put it back, and the service continues by itself; to use another directory, restart the service.';

/**
 * Opens an engine that fails as soon as it is asked and the directory is not at its place. An engine opens its files by their paths:
 * it would make a new store there, or read and write the files of another one, also in an orderly end.
 * @throws StoreMoved
 */
export async function engineAt(place: Pick<StorePlace, 'fault'>, open: () => Promise<Engine>): Promise<Engine> {
  const moved = place.fault();
  if (moved) throw moved;
  const engine = await open();
  function failure(): Error | undefined {
    const fault = place.fault();
    if (fault) engine.discard(fault);
    return engine.failure();
  }
  return {
    ...engine,
    failure,
    stop() {
      failure();
      return engine.stop();
    },
  };
}
