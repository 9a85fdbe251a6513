import { type RedactedWriting, redactMemory, type Writing } from '../../domain/redaction/memory.js';
import { builtFile } from '../../package-root.js';
import { openThreads } from '../threads.js';

/**
 * Texts up to this number of code units are redacted on the main thread. Measured: 16 KiB of prose take 1 ms, and 16
 * KiB of phone numbers take 45 ms, in which no other request is answered, so the limit is a quarter of that. 1 MiB of
 * phone numbers takes up to 1.7 s. The thread starts in 0.3 s.
 */
const smallText = 4 * 1024;
/** The size of all texts that wait for the thread. */
const heldBytes = 32 * 1024 * 1024;
/** The time after the last long text at which the thread ends and frees its memory. */
const idleMs = 30_000;
/** For one text: ten times the time of the slowest one. */
const deadlineMs = 20_000;

export interface Redactor {
  /** Replaces every sensitive value by `[redacted]`. @throws Refusal rate_limited, not_ready */
  redact(writing: Writing): Promise<RedactedWriting>;
  close(): Promise<void>;
}

/** Redacts short texts immediately, and long ones one after the other in a thread, which the first of them starts. */
export function openRedactor(): Redactor {
  const threads = openThreads<Writing, RedactedWriting>({
    file: builtFile('adapters/redaction/thread.js'),
    threads: 1,
    heldBytes,
    idleMs,
    deadlineMs,
  });
  return {
    async redact(writing) {
      const size = writing.content.length + writing.metadata.length;
      if (size <= smallText) return redactMemory(writing);
      return threads.run(size, writing);
    },
    close: threads.close,
  };
}
