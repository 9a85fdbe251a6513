import { limits } from '../../../contracts/limits.js';
import { builtFile } from '../../base/package-root.js';
import type { ReadOrNot, ReadTraces } from '../../domain/otlp/export.js';
import { openThreads } from '../threads.js';
import { type EncodedExport, readExport } from './read.js';

/** Exports up to this size, after decompression, are read on the main thread. The worst one takes 8 ms. */
const small = { bytes: 64 * 1024, values: 10_000 };
/**
 * The largest export. 20,000 spans with 20 attributes each have 1.7 million values. As many in messages without content take a
 * second.
 */
const large = { bytes: limits.otlpBytes, values: limits.otlpValues };
/** Bytes of all bodies that are read or wait for the thread, before decompression. */
const heldBytes = 64 * 1024 * 1024;
const idleMs = 30_000;
const deadlineMs = 30_000;
/** An export of 64 MiB with as many values as are allowed fits. */
const heapMb = 1024;

export interface TraceReader {
  readonly read: ReadTraces;
  /** Spans with attributes of GenAI and no operation since the start, which became no receipts. */
  spansWithoutOperation(): number;
  close(): Promise<void>;
}

/** Reads small exports immediately, and large ones in a thread, which the first of them starts. */
export function openTraceReader(): TraceReader {
  const threads = openThreads<EncodedExport, ReadOrNot>({
    file: builtFile('adapters/otlp/thread.js'),
    threads: 1,
    heldBytes,
    idleMs,
    deadlineMs,
    heapMb,
  });
  let withoutOperation = 0;
  const counted = (read: ReadOrNot) => {
    if ('withoutOperation' in read) withoutOperation += read.withoutOperation;
    return read;
  };
  return {
    async read(owner, body, form) {
      if (body.length <= small.bytes) {
        const read = readExport({ body, ...form, most: small });
        if (!('tooLarge' in read || 'hasTooManyValues' in read)) return counted(read);
      }
      return counted(await threads.run({ owner, bytes: body.length }, { body, ...form, most: large }));
    },
    spansWithoutOperation: () => withoutOperation,
    close: threads.close,
  };
}
