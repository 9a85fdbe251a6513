import { createHash } from 'node:crypto';

/** SHA-256 of the stored content as UTF-8, in lowercase hex. Two contents are the same if their hashes are equal. */
export function contentHash(content: string): string {
  return createHash('sha256').update(content, 'utf8').digest('hex');
}

/**
 * Makes extracted text storable: fonts of PDFs may produce NUL and halves of surrogate pairs, which the author did not
 * write. Text that callers send with such characters is refused instead (contracts/text.ts).
 */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
