import { createHash } from 'node:crypto';

/** SHA-256 of the stored content's UTF-8 in lowercase hex: two contents are the same when these are equal. */
export function contentHash(content: string): string {
  return createHash('sha256').update(content, 'utf8').digest('hex');
}
