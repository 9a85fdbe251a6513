import { inGroups } from '../../base/groups.js';
import type { Redacted } from '../../domain/redaction/redact.js';
import { type RedactedWriting, redactMemory, redactTexts, type Writing } from '../../domain/redaction/writing.js';
import { hereOrThread, openThreads } from './threads.js';

/**
 * Texts up to this number of code units are redacted on the main thread. Measured: 16 KiB of prose take 1 ms, and 16
 * KiB of phone numbers take 45 ms, in which no other request is answered, so the limit is a quarter of that. 1 MiB of
 * phone numbers takes up to 1.7 s. The thread starts in 0.3 s.
 */
const smallText = 4 * 1024;
/** The size of all texts that wait for the thread. */
const heldBytes = 32 * 1024 * 1024;
/** The size of the JSON texts that are redacted together: other callers wait for them, at worst for a tenth of a second. */
const partOfTexts = 64 * 1024;
/** For one text: ten times the time of the slowest one. */
const deadlineMs = 20_000;

interface Redactor {
  /**
   * Replaces every sensitive value by `[redacted]`. @throws Refusal rate_limited, not_ready
   * @param owner whose work it is: see `Task`
   */
  redact(owner: string, writing: Writing): Promise<RedactedWriting>;
  /** The same for JSON texts, one result for each. @throws Refusal rate_limited, not_ready */
  redactTexts(owner: string, texts: readonly string[]): Promise<readonly Redacted[]>;
  close(): Promise<void>;
}

/** Redacts short texts immediately, and long ones one after the other in a thread, which the first of them starts. */
export function openRedactor(): Redactor {
  const writings = openThreads({ threads: 1, heldBytes, deadlineMs });
  const jsonTexts = openThreads({ threads: 1, heldBytes, deadlineMs });
  return {
    redact: hereOrThread(writings, 'redactMemory', {
      small: smallText,
      sizeOf: ({ content, metadata }) => content.length + metadata.length,
      here: redactMemory,
    }),
    async redactTexts(owner, texts) {
      if (sizeOf(texts) <= smallText) return redactTexts(texts);
      const redacted: Redacted[] = [];
      // One after the other, so that the texts of other callers come between them.
      for (const part of inGroups(texts, ({ length }) => length, { size: partOfTexts })) {
        redacted.push(...(await jsonTexts.run({ owner, bytes: sizeOf(part) }, 'redactTexts', part)));
      }
      return redacted;
    },
    async close() {
      await Promise.all([writings.close(), jsonTexts.close()]);
    },
  };
}

const sizeOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);
