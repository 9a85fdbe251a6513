import { builtFile } from '../../base/package-root.js';
import { type JsonObject, type RefusedJson, tryJsonBytes } from '../../domain/json-text.js';
import { type RefusedMessages, type RpcMessages, tryMessages } from '../../domain/rpc-messages.js';
import { openThreads } from '../threads.js';

/**
 * Bodies up to this size are read on the main thread. Measured: the worst body of this size takes 2 ms, and one of 8
 * MiB takes 90 ms, in which no other request would be answered. A thread starts in 0.1 s.
 */
const smallBody = 128 * 1024;
/** Bytes of all bodies that are read or wait for the thread: the total for large bodies (src/http/route.ts). */
const heldBytes = 64 * 1024 * 1024;
/** The time after the last large body at which the thread ends and frees its memory. */
const idleMs = 30_000;
/** For one body: far more than the slowest one took. */
const deadlineMs = 20_000;

/** Reads bodies of one form. @throws Refusal rate_limited, or not_ready if the thread failed */
export interface BodyReader<T> {
  /** @param owner whose work it is: see `Task` */
  read(owner: string, body: Uint8Array): Promise<T>;
  close(): Promise<void>;
}

/** Reads a body as a JSON object. */
export const openJsonReader = (): BodyReader<JsonObject | RefusedJson> =>
  openReader('adapters/json/thread.js', tryJsonBytes);

/** Reads a body as messages of JSON-RPC: one, or a batch. */
export const openMessageReader = (): BodyReader<RpcMessages | RefusedMessages> =>
  openReader('adapters/json/messages-thread.js', tryMessages);

/** Reads small bodies immediately, and large ones in a thread, which the first of them starts. */
function openReader<T>(file: string, read: (body: Uint8Array) => T): BodyReader<T> {
  const threads = openThreads<Uint8Array, T>({ file: builtFile(file), threads: 1, heldBytes, idleMs, deadlineMs });
  return {
    read: async (owner, body) =>
      body.length <= smallBody ? read(body) : threads.run({ owner, bytes: body.length }, body),
    close: threads.close,
  };
}
