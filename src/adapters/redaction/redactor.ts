import { type RedactedWriting, redactMemory, type Writing } from '../../domain/redaction/memory.js';
import { builtFile } from '../../package-root.js';
import { openThreads } from '../threads.js';

/**
 * Redacted where it is called up to here, in code units. Measured: 16 KiB of prose take 1 ms and of nothing but phone
 * numbers 45, in which nobody else is answered, so a quarter of that is done here; 1 MiB of these takes up to 1.7 s. The
 * thread starts in 0.3 s.
 */
const smallText = 4 * 1024;
/** Of texts that wait for the thread. */
const heldBytes = 32 * 1024 * 1024;
/** How long the thread and its memory outlive the last long text. */
const idleMs = 30_000;
/** Of one text: ten times what the slowest took. */
const deadlineMs = 20_000;

export interface Redactor {
  /** What callers wrote with `[redacted]` for every sensitive value. @throws Refusal rate_limited, not_ready */
  redact(writing: Writing): Promise<RedactedWriting>;
  close(): Promise<void>;
}

/** Redacts short texts at once and long ones, one after the other, in a thread that is started for the first of them. */
export function openRedactor(): Redactor {
  const threads = openThreads<Writing, RedactedWriting>({
    file: builtFile('adapters/redaction/thread.js'),
    ...{ threads: 1, heldBytes, idleMs, deadlineMs },
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
