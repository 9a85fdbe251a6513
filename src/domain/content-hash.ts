import { createHash } from 'node:crypto';

/** SHA-256 of the stored content as UTF-8, in lowercase hex. Two contents are the same if their hashes are equal. */
export function contentHash(content: string): string {
  return createHash('sha256').update(content, 'utf8').digest('hex');
}
