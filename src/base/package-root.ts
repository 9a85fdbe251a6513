import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where package.json lies: two levels up from the compiled file, one from the source. */
export const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

/**
 * A compiled file, by its path within src. Threads and processes run JavaScript only, so tests that run from the sources
 * use what was built last.
 */
export function builtFile(path: string): string {
  return join(packageRoot, 'dist/src', path);
}

function findRoot(directory: string): string {
  if (existsSync(join(directory, 'package.json')) || dirname(directory) === directory) return directory;
  return findRoot(dirname(directory));
}
