import { limits } from '../../../contracts/limits.js';
import type { ReadTraces } from '../../domain/otlp/export.js';
import { hereOrThread, openThreads } from '../threads/threads.js';
import { readExport } from './read.js';

/** Exports up to this size, after decompression, are read on the main thread. The worst one takes 8 ms. */
const small = { bytes: 64 * 1024, values: 10_000 };
/**
 * The largest export. 20,000 spans with 20 attributes each have 1.7 million values. As many in messages without content take a
 * second.
 */
const large = { bytes: limits.otlpBytes, values: limits.otlpValues };
/** Bytes of all bodies that are read or wait for the thread, before decompression. */
const heldBytes = 64 * 1024 * 1024;
const deadlineMs = 30_000;
/** An export of 64 MiB with as many values as are allowed fits. */
const heapMb = 1024;

interface TraceReader {
  readonly read: ReadTraces;
  /** Spans with attributes of GenAI and no operation since the start, which became no receipts. */
  spansWithoutOperation(): number;
  close(): Promise<void>;
}

/** Reads small exports immediately, and large ones in a thread, which the first of them starts. */
export function openTraceReader(): TraceReader {
  const threads = openThreads({ threads: 1, heldBytes, deadlineMs, heapMb });
  const read = hereOrThread(threads, 'readSpans', {
    small: small.bytes,
    sizeOf: ({ body }) => body.length,
    here(encoded) {
      const found = readExport({ ...encoded, most: small });
      return 'tooLarge' in found || 'hasTooManyValues' in found ? null : found;
    },
  });
  let withoutOperation = 0;
  return {
    async read(owner, body, form) {
      const found = await read(owner, { body, ...form, most: large });
      if ('withoutOperation' in found) withoutOperation += found.withoutOperation;
      return found;
    },
    spansWithoutOperation: () => withoutOperation,
    close: threads.close,
  };
}
