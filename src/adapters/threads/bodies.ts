import type { RefusedMessages, RpcMessages } from '../../../contracts/rpc-messages.js';
import { type JsonObject, type RefusedJson, tryJsonBytes } from '../../domain/read-json.js';
import { tryMessages } from '../../domain/read-messages.js';
import { hereOrThread, openThreads } from './threads.js';

/**
 * Bodies up to this size are read on the main thread. Measured: the worst body of this size takes 2 ms, and one of 8
 * MiB takes 90 ms, in which no other request would be answered. A thread starts in 0.1 s.
 */
const smallBody = 128 * 1024;
/** Bytes of all bodies that are read or wait for the thread: the total for large bodies (src/http/route.ts). */
const heldBytes = 64 * 1024 * 1024;
/** For one body: far more than the slowest one took. */
const deadlineMs = 20_000;

/** Reads bodies of one form. @throws Refusal rate_limited, or not_ready if the thread failed */
interface BodyReader<T> {
  /** @param owner whose work it is: see `Task` */
  read(owner: string, body: Uint8Array): Promise<T>;
  close(): Promise<void>;
}

/** Reads a body as a JSON object. */
export function openJsonReader(): BodyReader<JsonObject | RefusedJson> {
  const threads = openThreads({ threads: 1, heldBytes, deadlineMs });
  return {
    read: hereOrThread(threads, 'readJson', { small: smallBody, sizeOf, here: tryJsonBytes }),
    close: threads.close,
  };
}

/** Reads a body as messages of JSON-RPC: one, or a batch. */
export function openMessageReader(): BodyReader<RpcMessages | RefusedMessages> {
  const threads = openThreads({ threads: 1, heldBytes, deadlineMs });
  return {
    read: hereOrThread(threads, 'readMessages', { small: smallBody, sizeOf, here: tryMessages }),
    close: threads.close,
  };
}

const sizeOf = (body: Uint8Array): number => body.length;
