import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { writeDurably } from '../../database/durable-file.js';
import type { Counts } from './tally.js';

const stateFile = z.strictObject({
  format: z.literal('counterfoil-submit/1'),
  url: z.string(),
  /** The next line that was not sent yet. */
  line: z.int().min(1),
  offset: z.int().min(0),
  /** SHA-256 of the beginning of the input up to the offset, but not more than `fingerprintBytes` of it. */
  fingerprint: z.string(),
  /** The bytes of the file of refusals that belong to the lines before. */
  refused_bytes: z.int().min(0),
  recorded: z.int().min(0),
  duplicates: z.int().min(0),
  refused: z.record(z.string(), z.int().min(0)),
});

/** How far a submission has come. */
export interface Progress {
  readonly line: number;
  readonly offset: number;
  readonly refusedBytes: number;
  readonly counts: Counts;
}

export const atStart: Progress = {
  line: 1,
  offset: 0,
  refusedBytes: 0,
  counts: { recorded: 0, duplicates: 0, refused: {} },
};

const fingerprintBytes = 64 * 1024;

/**
 * The progress of an earlier run that was interrupted, or null when there was none.
 * @throws Error with a sentence when it is of another file or another service
 */
export async function readProgress(path: string, input: string, url: string): Promise<Progress | null> {
  if (!existsSync(path)) return null;
  const state = parsed(path);
  const other = (what: string) =>
    new Error(`${path} is the state of an interrupted run with ${what}. Delete it to begin with the first line.`);
  if (state.url !== url) throw other(`the service ${state.url}`);
  if ((await fingerprintOf(input, state.offset)) !== state.fingerprint) throw other('another file');
  const { line, offset, refused_bytes: refusedBytes, recorded, duplicates, refused } = state;
  return { line, offset, refusedBytes, counts: { recorded, duplicates, refused } };
}

function parsed(path: string): z.output<typeof stateFile> {
  try {
    return stateFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new Error(`${path} is not the state of a submission. Delete it to begin with the first line.`);
  }
}

/** A crash leaves the old state or the new one. Without a state, a run sends again what was sent, which are duplicates. */
export async function writeProgress(path: string, input: string, url: string, progress: Progress): Promise<void> {
  const { line, offset, refusedBytes, counts } = progress;
  const fingerprint = await fingerprintOf(input, offset);
  const state = { format: 'counterfoil-submit/1', url, line, offset, fingerprint, refused_bytes: refusedBytes };
  writeDurably(path, `${JSON.stringify({ ...state, ...counts })}\n`);
}

export function removeProgress(path: string): void {
  rmSync(path, { force: true });
}

async function fingerprintOf(input: string, offset: number): Promise<string> {
  const file = await open(input);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(offset, fingerprintBytes)), 0, null, 0);
    return createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex');
  } finally {
    await file.close();
  }
}
