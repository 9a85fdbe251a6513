import { statSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';

/** The compiled files that processes and threads begin with, by their path within src. `src/cli/main.ts` imports the first. */
export const entries = [
  'cli/run.js',
  'adapters/extract/process.js',
  'adapters/extract/watchdog.js',
  'adapters/market/thread.js',
  'adapters/threads/thread.js',
  'database/embedded-worker.js',
  'maintenance/recompute/thread.js',
] as const;

let folder: string | undefined;

/**
 * Where such a file lies. Threads and processes run JavaScript only, so tests that run from the sources use what was built last. It is
 * the one of the bundle where the build has made one: a start reads 200 modules instead of 1,600, which halves its processor time.
 */
export function builtFile(path: (typeof entries)[number]): string {
  folder ??= join(packageRoot, isBundled() ? 'dist/bundle' : 'dist/src');
  return join(folder, path);
}

/** A bundle that is older than what the compiler has written would run old code. An image has no notes of the compiler. */
function isBundled(): boolean {
  const written = (file: string) => statSync(join(packageRoot, 'dist', file), { throwIfNoEntry: false })?.mtimeMs;
  const bundle = written(`bundle/${entries[0]}`);
  return bundle !== undefined && bundle >= (written('types.tsbuildinfo') ?? 0);
}
