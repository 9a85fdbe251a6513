import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Thrown when a configured directory cannot be used. The message names it and says what to do. */
export class UnusableDirectory extends Error {
  override name = 'UnusableDirectory';
}

/**
 * Creates a directory and its parents with access only for the owner, or removes the access of others from an existing
 * one. The directories are created one by one, because Node's recursive mkdir never returns on a pseudo file system
 * such as /proc.
 * @throws UnusableDirectory
 */
export function makePrivateDirectory(path: string): void {
  try {
    requireRealFileSystem(path);
    makeWithParents(path);
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
  } catch (error) {
    if (error instanceof UnusableDirectory) throw error;
    throw new UnusableDirectory(`${path} cannot be made a directory of this user alone (${codeOf(error)}). ${remedy}`, {
      cause: error,
    });
  }
}

/** The types (statfs(2)) of Linux's file systems that hold no files: proc, sysfs, cgroup, cgroup2, debugfs, tracefs, securityfs, configfs, bpf, devpts. */
const pseudoTypes: ReadonlySet<number> = new Set([
  0x9fa0, 0x62656572, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673, 0x62656570, 0xcafe4a11, 0x1cd1,
]);

/** Looked at before anything is made or changed, because the modes of such a file system are the whole machine's. */
function requireRealFileSystem(path: string): void {
  if (process.platform !== 'linux') return;
  let existing = resolve(path);
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  if (!pseudoTypes.has(statfsSync(existing).type)) return;
  throw new UnusableDirectory(`${path} is on a file system of the kernel, which keeps no files. ${remedy}`);
}

function makeWithParents(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw new UnusableDirectory(`${path} is a file and not a directory. ${remedy}`);
  if (dirname(path) !== path) makeWithParents(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same moment has created it.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Removes the access of other users to everything below a directory. Files of another owner, such as the `lost+found`
 * of a disk, are not changed, and links are not followed.
 */
export function tightenTree(directory: string): void {
  const user = process.getuid?.();
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const found = lstatSync(path);
    if (found.isSymbolicLink() || (user !== 0 && found.uid !== user)) continue;
    if ((found.mode & 0o077) !== 0) chmodSync(path, found.mode & 0o700);
    if (found.isDirectory()) tightenTree(path);
  }
}

const remedy = 'Set DATA_DIR to a directory on a local disk that this user may write.';

/** The operating system's name of an error, such as ENOSPC. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error);
