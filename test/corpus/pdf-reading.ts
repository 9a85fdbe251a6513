import type { Assumed } from '../../contracts/assumed.js';
import { formOf } from '../../src/domain/import-form.js';
import type { Expected } from './make/pdf-case.js';
import { isAsExpected } from './pdf-score.js';

/** What a reader made of a file of the corpus. */
export type Read = { readonly text: string; readonly assumed?: Assumed } | { readonly unreadable: string };

/** What is wrong with a reading, in words; null for nothing. */
export function wrongWith(bytes: Uint8Array, expected: Expected, read: Read): string | null {
  if ('refused' in expected) {
    const name = expected.refused === 'not_pdf' ? 'a.txt' : 'a.pdf';
    const isPdf = formOf(name, '', bytes) === 'pdf';
    const refused = 'unreadable' in read ? 'unreadable_pdf' : read.text.trim() === '' ? 'no_text' : 'none';
    return (isPdf ? refused : 'not_pdf') === expected.refused ? null : `refused: ${refused}`;
  }
  if ('unreadable' in read) return read.unreadable;
  if (!isAsExpected(expected.text, read.text, expected.compare)) return read.text;
  const { form_fields: fields, unreadable_pct: share } = read.assumed ?? {};
  if (expected.form_fields !== undefined && fields !== expected.form_fields) return `${fields} fields`;
  return (share !== undefined) === (expected.partly ?? false) ? null : `${share} % are unreadable`;
}
