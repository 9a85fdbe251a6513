import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeDurably } from '../database/durable-file.js';
import type { Followed } from '../verifier/follow.js';
import { formatTrustedKey, parseTrustedKey } from '../verifier/trusted-keys.js';

const [index, size] = [z.int().nonnegative(), z.int().positive()];
const tag = z.string().regex(/^[0-9a-f]{64}$/);
/** Earlier versions have stored no root. */
const place = z.union([z.tuple([index, size]), z.tuple([index, size, tag])]);
const stateFile = z.strictObject({
  format: z.literal('counterfoil-audit/1'),
  checkpoint: z.string(),
  roots: z.array(z.string()).min(1),
  keys: z.array(z.string()),
  /** By tag: the leaf of the last head, its number of entries and their root. */
  heads: z.record(tag, place),
  /** The keys that were trusted of the log before, if this one follows it. */
  former: z.array(z.string()).optional(),
});

/** The state of the last visit, or null if the file does not exist. @throws Error that says what to do */
export function readState(path: string): Followed | null {
  if (!existsSync(path)) return null;
  try {
    const { checkpoint, roots, keys, heads, former = [] } = stateFile.parse(JSON.parse(readFileSync(path, 'utf8')));
    const places = Object.entries(heads).map(
      ([tag, [index, size, root = null]]) => [tag, { index, size, root }] as const,
    );
    return {
      note: checkpoint,
      roots: roots.map(parseTrustedKey),
      keys,
      heads: new Map(places),
      former: former.map(parseTrustedKey),
    };
  } catch {
    throw new Error(
      `${path} is not the state of an audit. Put its backup back, or audit the log from the start with another file.`,
    );
  }
}

/** A crash leaves the old state or the new one. */
export function writeState(path: string, { note, roots, keys, heads, former }: Followed): void {
  const places = Object.fromEntries(
    [...heads].map(([tag, { index, size, root }]) => [tag, root === null ? [index, size] : [index, size, root]]),
  );
  const state = { format: 'counterfoil-audit/1', checkpoint: note, roots: roots.map(formatTrustedKey), keys };
  const before = former.length === 0 ? {} : { former: former.map(formatTrustedKey) };
  writeDurably(path, `${JSON.stringify({ ...state, heads: places, ...before })}\n`);
}
