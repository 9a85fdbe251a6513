import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { equal, fromHex } from '../../src/verifier/bytes.js';
import { apply } from '../../src/verifier/ots/operation.js';
import { readDetached } from '../../src/verifier/ots/read.js';
import { type Headers, type TimestampClaim, verifyTimestamp } from '../../src/verifier/ots/verify.js';
import { Unreadable } from '../../src/verifier/unreadable.js';
import type { Outcome } from './vector.js';

const headersFile = z.record(z.string(), z.string().transform(fromHex));

/**
 * OpenTimestamps files, each beside the file that it is about (`NAME` and `NAME.ots`), the block headers that are at hand
 * in `bitcoin-headers.json`, and in `invalid` files that must be refused.
 */
export function* ots(folder: string): Generator<Outcome> {
  const headers = readHeaders(join(folder, 'bitcoin-headers.json'));
  for (const name of timestamps(folder)) {
    const claim = check(join(folder, name), headers);
    yield { name: `${name}: ${sentence(claim)}`, right: claim.state !== 'failed' };
  }
  const invalid = join(folder, 'invalid');
  for (const name of timestamps(invalid)) {
    const refusal = refusalOf(join(invalid, name));
    yield { name: `invalid/${name}: ${refusal ?? 'it was read'}`, right: refusal !== undefined };
  }
}

function timestamps(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ots'))
    .sort();
}

function readHeaders(path: string): Headers {
  const headers = existsSync(path) ? headersFile.parse(JSON.parse(readFileSync(path, 'utf8'))) : {};
  return (height) => headers[String(height)];
}

function check(path: string, headers: Headers): TimestampClaim {
  const subject = path.replace(/\.ots$/, '');
  try {
    const { hash, timestamp } = readDetached(readFileSync(path));
    if (!existsSync(subject)) return { state: 'failed', reason: 'the file that it is about is missing' };
    const same = equal(apply({ name: hash }, readFileSync(subject)), timestamp.message);
    return same ? verifyTimestamp(timestamp, headers) : { state: 'failed', reason: 'it is about another file' };
  } catch (error) {
    if (error instanceof Unreadable) return { state: 'failed', reason: error.message };
    throw error;
  }
}

function sentence(claim: TimestampClaim): string {
  if (claim.state !== 'verified') return `${claim.state}, ${claim.reason}`;
  return `verified, block ${claim.height} of ${new Date(1000 * claim.time).toISOString()}`;
}

function refusalOf(path: string): string | undefined {
  try {
    readDetached(readFileSync(path));
    return undefined;
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}
