import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../base/package-root.js';
import { syncPath, syncTree } from './fsync.js';
import { tightenTree } from './private-directory.js';

/**
 * An empty cluster, which the build creates once and each new store copies: creating one (initdb) takes 5.4 s in
 * WebAssembly, copying it 0.2 s. Its name contains PGlite's version, so that another version never opens it.
 */
const template = join(packageRoot, 'dist', `pgdata-${pgliteVersion()}`);

export function pgliteVersion(): string {
  const main = fileURLToPath(import.meta.resolve('@electric-sql/pglite'));
  const { version } = JSON.parse(readFileSync(join(dirname(main), '../package.json'), 'utf8'));
  return version;
}

/** Creates the cluster that new stores copy, unless it exists. */
export async function makeTemplate(): Promise<void> {
  if (existsSync(template)) return forEveryReader(template);
  const partial = `${template}.partial`;
  rmSync(partial, { recursive: true, force: true });
  // Only the build needs the database here: a service has it in its thread.
  const { PGlite } = await import('@electric-sql/pglite');
  const db = await PGlite.create({ dataDir: partial });
  await db.close();
  forEveryReader(partial);
  renameSync(partial, template);
}

/**
 * The user who builds is often another one than that of the service. The database makes files that only the first may
 * read, from which no store can be made, and files that every user of the machine may write.
 */
export function forEveryReader(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
  chmodSync(directory, 0o755);
}

/** Creates an empty cluster at `directory`: see `placeCopy`. */
export function placeTemplate(directory: string): void {
  if (!existsSync(template)) throw new Error('the build is not complete: run npm run build');
  placeCopy(template, directory);
}

/**
 * Copies a cluster to `directory`, where it is durable when this returns. A crash before the rename leaves only a
 * partial copy beside it, which the next start removes, and never half a cluster at `directory`.
 */
export function placeCopy(cluster: string, directory: string): void {
  const partial = `${directory}.partial`;
  rmSync(partial, { recursive: true, force: true });
  cpSync(cluster, partial, { recursive: true });
  // A copy has the modes of the original, which every user may read.
  chmodSync(partial, 0o700);
  tightenTree(partial);
  syncTree(partial);
  renameSync(partial, directory);
  syncPath(dirname(directory));
}
