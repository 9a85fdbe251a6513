import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncPath } from './fsync.js';

/** Writes a file that only its owner may read. A crash leaves the old file or the new one, never a part of one. */
export function writeDurably(path: string, text: string): void {
  const partial = `${path}.partial`;
  writeFileSync(partial, text, { mode: 0o600 });
  chmodSync(partial, 0o600);
  syncPath(partial);
  renameSync(partial, path);
  syncPath(dirname(path));
}
