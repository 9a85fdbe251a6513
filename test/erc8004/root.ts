import { createHash } from 'node:crypto';

/** As RFC 6962 §2.1 writes it, over hashes of leaves. */
export function rootOf(hashes: readonly string[]): string {
  if (hashes.length === 1) return hashes[0] ?? '';
  let half = 1;
  while (2 * half < hashes.length) half *= 2;
  const [left, right] = [rootOf(hashes.slice(0, half)), rootOf(hashes.slice(half))];
  return createHash('sha256')
    .update(Buffer.from(`01${left}${right}`, 'hex'))
    .digest('hex');
}
