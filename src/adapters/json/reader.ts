import { type JsonObject, type RefusedJson, tryJsonBytes } from '../../domain/json-text.js';
import { builtFile } from '../../package-root.js';
import { openThreads } from '../threads.js';

/**
 * Read where it is called up to here. Measured: the worst body of this size takes 2 ms, and one of 8 MiB 90, in which
 * nobody else would be answered. A thread starts in 0.1 s.
 */
const smallBody = 128 * 1024;
/** Of bodies that are read or wait for a thread: as much as large bodies may take in all (src/http/large-bodies.ts). */
const heldBytes = 64 * 1024 * 1024;
/** How long a thread and its memory outlive the last large body. */
const idleMs = 30_000;
/** Of one body: far more than the slowest took. */
const deadlineMs = 20_000;

/** Reads a body as a JSON object. @throws Refusal rate_limited, not_ready where a thread failed */
export type ReadJson = (body: Uint8Array) => Promise<JsonObject | RefusedJson>;

export interface JsonReader {
  readonly read: ReadJson;
  close(): Promise<void>;
}

/** Reads small bodies at once and large ones in a thread that is started for the first of them. */
export function openJsonReader(): JsonReader {
  const threads = openThreads<Uint8Array, JsonObject | RefusedJson>({
    file: builtFile('adapters/json/thread.js'),
    ...{ threads: 1, heldBytes, idleMs, deadlineMs },
  });
  return {
    async read(body) {
      return body.length <= smallBody ? tryJsonBytes(body) : threads.run(body.length, body);
    },
    close: threads.close,
  };
}
