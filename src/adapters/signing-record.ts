import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DirectoryInUse, type DirectoryLock, lockDirectory } from '../database/directory-lock.js';
import { writeDurably } from '../database/durable-file.js';
import { makePrivateDirectory, UnusableDirectory } from '../database/private-directory.js';
import type { LastSigned, SigningRecord, StoredRecord } from '../tlog/turn.js';

/** Thrown when a file beside the signing keys, or theirs, cannot be used. The message says what to do. */
export class KeyFileError extends Error {
  override name = 'KeyFileError';
}

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const signed = { size: z.int().nonnegative(), root: hex };
/** Versions without turns wrote the first form, as the only line of the file. */
const line = z.union([
  z.strictObject(signed),
  z.strictObject({ origin: z.string().min(1), ...signed, turn: hex.nullable(), before: hex.nullable() }),
]);
type Line = z.output<typeof line>;

/** When the file is longer, only the last line of each log is kept. A line has some 300 bytes. */
const mostBytes = 16_384;

const pathOf = (directory: string): string => join(directory, 'last-signed.json');

/**
 * What this directory has recorded about the log of this origin, or null. Each record is a line at the end of a file; the last
 * one counts. A line that a crash has torn is none: nothing was signed by it.
 * @throws KeyFileError when the file has no readable line
 */
export function readRecord(directory: string, origin: string): StoredRecord | null {
  const last = linesIn(directory).findLast((one) => !('origin' in one) || one.origin === origin);
  if (last === undefined) return null;
  const { size, root } = last;
  return 'origin' in last ? { size, root, turn: last.turn, before: last.before } : { size, root };
}

/** The largest tree of a log that this directory has recorded; null if there is none. The origin of an old record is not known. */
export function readLastSigned(directory: string, origin: string): LastSigned | null {
  const own = linesIn(directory).filter((one) => !('origin' in one) || one.origin === origin);
  const [largest] = own.toSorted((a, b) => b.size - a.size);
  return largest ? { size: largest.size, root: largest.root } : null;
}

/** Appends a record, durably. After a crash the file has it whole, or counts as if it had not been written. */
export function appendRecord(directory: string, origin: string, { size, root, turn, before }: SigningRecord): void {
  makePrivateDirectory(directory);
  const path = pathOf(directory);
  const lines = linesIn(directory);
  const added: Line = { origin, size, root, turn, before };
  // The first line is never torn, so a file without a readable line is damaged.
  const isFirst = lines.length === 0;
  const text = isFirst ? Buffer.alloc(0) : readFileSync(path);
  if (isFirst || text.length > mostBytes) writeDurably(path, textOf(lastOfEach([...lines, added])));
  else appendLine(path, text, textOf([added]));
}

function appendLine(path: string, text: Buffer, added: string): void {
  const file = openSync(path, 'r+');
  try {
    const end = text.lastIndexOf('\n') + 1;
    const isTorn = parsed(text.toString('utf8', end)) === null;
    if (isTorn) ftruncateSync(file, end);
    writeSync(file, isTorn ? added : `\n${added}`, isTorn ? end : text.length);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const textOf = (lines: readonly Line[]): string => lines.map((one) => `${JSON.stringify(one)}\n`).join('');

function linesIn(directory: string): readonly Line[] {
  const path = pathOf(directory);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((one) => parsed(one) ?? []);
  if (lines.length > 0) return lines;
  throw new KeyFileError(`${path} is not what this service has written. Put its backup back.`);
}

function parsed(text: string): Line | null {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The last line of each log, oldest first. */
function lastOfEach(lines: readonly Line[]): readonly Line[] {
  const originOf = (one: Line | undefined) => (one && 'origin' in one ? one.origin : '');
  return lines.filter((one, at) => !lines.slice(at + 1).some((later) => originOf(later) === originOf(one)));
}

export const newTurn = (): string => randomBytes(32).toString('hex');

const waitMs = 20;
/** A signer has the directory while it waits for the database, which answers or fails within 20 s. */
const patienceMs = 30_000;

/** Does the work while no other process does any in this directory. The lock of a killed process ends with it. */
export async function lockedDirectory<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockOf(directory);
  try {
    return await work();
  } finally {
    lock?.release();
  }
}

/** Null on platforms whose files cannot be locked: there each process needs a directory of its own. */
async function lockOf(directory: string): Promise<DirectoryLock | null> {
  makePrivateDirectory(directory);
  for (let waited = 0; ; waited += waitMs) {
    try {
      return await lockDirectory(directory);
    } catch (error) {
      if (error instanceof UnusableDirectory) return null;
      if (!(error instanceof DirectoryInUse) || waited >= patienceMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
