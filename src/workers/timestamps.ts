import { createHash } from 'node:crypto';
import {
  type CheckpointRow,
  checkpointsIn,
  confirmedSince,
  latestCheckpoint,
  logState,
} from '../../projections/log/queries.js';
import type { BitcoinHeaders } from '../adapters/bitcoin-headers.js';
import type { Database } from '../adapters/database/database.js';
import type { CalendarClient } from '../adapters/opentimestamps.js';
import type { LogEvent, RecordInLog } from '../commands/log-entries.js';
import { type EasiestTarget, parseHeader, shownHash } from '../verifier/bitcoin.js';
import { parseNote } from '../verifier/note.js';
import { readDetached } from '../verifier/ots/read.js';
import { commitments, fulfil, type Timestamp } from '../verifier/ots/timestamp.js';
import { verifyTimestamp } from '../verifier/ots/verify.js';
import { writeDetached } from '../verifier/ots/write.js';
import type { World } from '../world.js';

/** How many checkpoints one round asks calendars and blocks about. */
const atOnce = 100;
/** A block that is two days old is under some 288 others; none so deep was ever replaced. */
const replaceableMs = 2 * 86_400_000;

export interface Timestamping {
  readonly database: Database;
  readonly record: RecordInLog;
  readonly world: World;
  readonly calendars: CalendarClient;
  /** How many calendars must answer for a submission to count. */
  readonly least: number;
  /** Null when nobody has said where block headers come from: blocks are then named and not looked at. */
  readonly headers: BitcoinHeaders | null;
  readonly easiest: EasiestTarget;
}

/** What a round did, by name, for logs and for people. */
export type Done = 'submitted' | 'attested' | 'confirmed' | 'lost';

/**
 * Submits the newest checkpoint if it never was. Those before it are shown by it, as it contains them, so a service that
 * was without a network for a day submits once.
 * A crash after a calendar has answered and before its answer is recorded submits once more: the answer is lost.
 * @throws Unavailable when fewer calendars than `least` have answered
 */
export async function submitNewest(parts: Timestamping): Promise<Done[]> {
  const newest = await parts.database.read(latestCheckpoint);
  if (newest?.anchor !== 'pending') return [];
  const digest = digestOf(newest);
  const { timestamp } = await parts.calendars.stamp(digest, parts.least);
  const body = { size: newest.size, digest: digest.toString('hex'), ots: fileOf(timestamp) };
  await recordNow(parts, { kind: 'anchor.submitted', body });
  return ['submitted'];
}

/** Asks the calendars whether what they promised is in a block by now. */
export async function upgradeSubmitted(parts: Timestamping): Promise<Done[]> {
  const done: Done[] = [];
  for (const { size, ots } of await checkpoints(parts, 'submitted')) {
    if (!ots) continue;
    const timestamp = await upgraded(parts.calendars, readDetached(ots).timestamp);
    const heights = heightsOf(timestamp);
    if (heights.length === 0) continue;
    await recordNow(parts, { kind: 'anchor.attested', body: { size, ots: fileOf(timestamp), heights } });
    done.push('attested');
  }
  return done;
}

/** Looks into the blocks that are said to hold a checkpoint. One that does not is given back to the calendars. */
export async function confirmAttested(parts: Timestamping): Promise<Done[]> {
  const { headers } = parts;
  if (!headers) return [];
  const done: Done[] = [];
  for (const row of await checkpoints(parts, 'attested')) done.push(...(await confirm(parts, headers, row)));
  const since = new Date(parts.world.now().getTime() - replaceableMs).toISOString();
  const recent = await parts.database.read((tx) => confirmedSince(tx, since, atOnce));
  for (const row of recent) done.push(...(await confirmAgain(parts, headers, row)));
  return done;
}

async function confirm(parts: Timestamping, source: BitcoinHeaders, { size, ots, heights }: CheckpointRow) {
  if (!ots) return [];
  const known = new Map<number, Uint8Array>();
  for (const height of heights) {
    const header = await source.header(height);
    if (header) known.set(height, header);
  }
  const claim = verifyTimestamp(readDetached(ots).timestamp, (height) => known.get(height), parts.easiest);
  if (claim.state === 'not checked') return [];
  if (claim.state === 'failed') {
    const [height = 0, header] = [...known][0] ?? [];
    const block_hash = header ? shownHash(parseHeader(header).hash) : '';
    await recordNow(parts, { kind: 'anchor.lost', body: { size, height, block_hash } });
    return ['lost' as const];
  }
  const { height, blockHash: block_hash, time } = claim;
  const header = Buffer.from(known.get(height) ?? []).toString('hex');
  const block_time = new Date(time * 1000).toISOString();
  await recordNow(parts, { kind: 'anchor.confirmed', body: { size, height, header, block_hash, block_time } });
  return ['confirmed' as const];
}

async function confirmAgain(parts: Timestamping, source: BitcoinHeaders, row: CheckpointRow): Promise<Done[]> {
  const { size, height, block_hash } = row;
  if (height === null || block_hash === null) return [];
  const header = await source.header(height);
  if (!header || shownHash(parseHeader(header).hash) === block_hash) return [];
  await recordNow(parts, { kind: 'anchor.lost', body: { size, height, block_hash } });
  return ['lost'];
}

const checkpoints = ({ database }: Timestamping, anchor: 'submitted' | 'attested') =>
  database.read((tx) => checkpointsIn(tx, anchor, atOnce));

/** What is recorded here does not depend on what else happened to the log, so the place it is written at is read just before. */
async function recordNow({ database, record }: Timestamping, event: LogEvent): Promise<void> {
  const { seq } = await database.read(logState);
  await record(seq, event);
}

/** SHA-256 of the text that was signed. */
function digestOf({ note }: CheckpointRow): Buffer {
  const { text } = parseNote(Buffer.from(note, 'utf8'));
  return createHash('sha256').update(text, 'utf8').digest();
}

async function upgraded(calendars: CalendarClient, timestamp: Timestamp): Promise<Timestamp> {
  let current = timestamp;
  for (const { attestation, message } of commitments(timestamp)) {
    if (attestation.kind !== 'pending') continue;
    const answer = await calendars.upgrade(attestation.uri, message);
    if (answer.state === 'upgraded') current = fulfil(current, attestation.uri, answer.timestamp);
  }
  return current;
}

const heightsOf = (timestamp: Timestamp): number[] =>
  commitments(timestamp).flatMap(({ attestation }) => (attestation.kind === 'bitcoin' ? [attestation.height] : []));

const fileOf = (timestamp: Timestamp): string =>
  Buffer.from(writeDetached({ hash: 'sha256', timestamp })).toString('base64');
