import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { packageRoot } from '../../package-root.js';
import { tightenTree } from '../private-directory.js';
import { syncPath, syncTree } from './fsync.js';

/**
 * An empty cluster, made once by the build and copied for each new store: making one (initdb) takes 5.4 s in WebAssembly,
 * copying it 0.2 s. Its name has PGlite's version, so that another version never opens what it did not make.
 */
const template = join(packageRoot, 'dist', `pgdata-${pgliteVersion()}`);

function pgliteVersion(): string {
  const main = fileURLToPath(import.meta.resolve('@electric-sql/pglite'));
  const { version } = JSON.parse(readFileSync(join(dirname(main), '../package.json'), 'utf8'));
  return version;
}

/** Makes the cluster that new stores are copies of, unless it is there. */
export async function makeTemplate(): Promise<void> {
  if (existsSync(template)) return;
  const partial = `${template}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const db = await PGlite.create({ dataDir: partial });
  await db.close();
  renameSync(partial, template);
}

/**
 * Makes an empty cluster at `directory`, on disk when this returns. A crash before the rename leaves a directory beside it
 * that the next start throws away, never half a cluster in its place.
 */
export function placeTemplate(directory: string): void {
  if (!existsSync(template)) throw new Error('the build is not complete: run npm run build');
  const partial = `${directory}.partial`;
  rmSync(partial, { recursive: true, force: true });
  cpSync(template, partial, { recursive: true });
  // A copy has the modes of the original, which is for everybody to read.
  chmodSync(partial, 0o700);
  tightenTree(partial);
  syncTree(partial);
  renameSync(partial, directory);
  syncPath(dirname(directory));
}
