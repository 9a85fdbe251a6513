import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where package.json lies: two levels up from the compiled file, one from the source. */
export const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(directory: string): string {
  if (existsSync(join(directory, 'package.json')) || dirname(directory) === directory) return directory;
  return findRoot(dirname(directory));
}
