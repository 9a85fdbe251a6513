import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';

/** A text with the values in it that redaction is to find. */
export interface Example {
  readonly text: string;
  readonly expected: readonly { readonly kind: string; readonly value: string }[];
  /** The text that redaction should make of it. */
  readonly redacted: string;
}

/**
 * One example a line: `⟦kind:value⟧` marks a value that must be found, `⏎` is a line break, and `¦` is nothing, so that no
 * made-up token is in the file as it would be written.
 */
function examples(file: string): Example[] {
  const lines = readFileSync(join(packageRoot, 'test/redaction', file), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const marked = line.replaceAll('⏎', '\n').replaceAll('¦', '');
      const expected = [...marked.matchAll(marks)].map(([, kind = '', value = '']) => ({ kind, value }));
      return { text: marked.replace(marks, '$2'), expected, redacted: marked.replace(marks, '[redacted]') };
    });
}

const marks = /⟦([a-z_]+):([^⟧]*)⟧/g;

export const positives: readonly Example[] = examples('positives.txt');
export const negatives: readonly Example[] = examples('negatives.txt');
/** Written when the rules for the other files existed; what they did with it at first is in the README. */
export const later: readonly Example[] = examples('later.txt');
