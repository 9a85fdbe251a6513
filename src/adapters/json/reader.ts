import { type JsonObject, type RefusedJson, tryJsonBytes } from '../../domain/json-text.js';
import { builtFile } from '../../package-root.js';
import { openThreads } from '../threads.js';

/**
 * Bodies up to this size are read on the main thread. Measured: the worst body of this size takes 2 ms, and one of 8
 * MiB takes 90 ms, in which no other request would be answered. A thread starts in 0.1 s.
 */
const smallBody = 128 * 1024;
/** Bytes of all bodies that are read or wait for the thread: the total for large bodies (src/http/large-bodies.ts). */
const heldBytes = 64 * 1024 * 1024;
/** The time after the last large body at which the thread ends and frees its memory. */
const idleMs = 30_000;
/** For one body: far more than the slowest one took. */
const deadlineMs = 20_000;

/** Reads a body as a JSON object. @throws Refusal rate_limited, or not_ready if the thread failed */
export type ReadJson = (body: Uint8Array) => Promise<JsonObject | RefusedJson>;

export interface JsonReader {
  readonly read: ReadJson;
  close(): Promise<void>;
}

/** Reads small bodies immediately, and large ones in a thread, which the first of them starts. */
export function openJsonReader(): JsonReader {
  const threads = openThreads<Uint8Array, JsonObject | RefusedJson>({
    file: builtFile('adapters/json/thread.js'),
    threads: 1,
    heldBytes,
    idleMs,
    deadlineMs,
  });
  return {
    async read(body) {
      return body.length <= smallBody ? tryJsonBytes(body) : threads.run(body.length, body);
    },
    close: threads.close,
  };
}
