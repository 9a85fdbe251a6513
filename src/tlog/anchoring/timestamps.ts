import { createHash } from 'node:crypto';
import {
  type AnchorState,
  type CheckpointRow,
  checkpointOf,
  checkpointsToAsk,
  latestCheckpoint,
  logState,
} from '../../../projections/log/queries.js';
import type { World } from '../../base/world.js';
import type { Database } from '../../database/database.js';
import type { EasiestTarget } from '../../verifier/bitcoin.js';
import { parseNote } from '../../verifier/note.js';
import { readDetached, readTimestamp } from '../../verifier/ots/read.js';
import { commitments, fulfil, type Timestamp } from '../../verifier/ots/timestamp.js';
import { writeDetached, writeTimestamp } from '../../verifier/ots/write.js';
import { Unreadable } from '../../verifier/unreadable.js';
import { type LogEvent, type RecordInLog, whileLogMoves } from '../record.js';
import type { BitcoinHeaders, CalendarClient } from './sources.js';
import { type Outcome, type Step, stepThrough } from './steps.js';

/** How many checkpoints one round asks calendars or blocks about. */
export const atOnce = 100;

export interface Timestamping {
  readonly database: Database;
  readonly record: RecordInLog;
  readonly world: World;
  readonly calendars: CalendarClient;
  /** How many calendars must answer for a submission to count. */
  readonly least: number;
  /** Null when no source of block headers is set: blocks are then named and not looked at. */
  readonly headers: BitcoinHeaders | null;
  readonly easiest: EasiestTarget;
}

/**
 * Submits the newest checkpoint if it never was. Those before it are shown by it, as it contains them, so a service that
 * was without a network for a day submits once.
 * A crash after a calendar has answered and before its answer is recorded submits once more: the answer is lost.
 * @throws Unavailable when fewer calendars than `least` have answered
 */
export async function submitNewest(parts: Timestamping): Promise<Outcome> {
  const newest = await parts.database.read(latestCheckpoint);
  if (newest?.anchor !== 'pending') return { done: [], failure: null };
  const digest = digestOf(newest);
  const { timestamp } = await parts.calendars.stamp(digest, parts.least);
  const body = { size: newest.size, digest: digest.toString('hex'), ots: fileOf(timestamp) };
  return { done: await recordOf(parts, newest, { kind: 'anchor.submitted', body }), failure: null };
}

/**
 * Asks the calendars whether what they promised is in a block by now, and less often after its blocks were lost. A checkpoint whose block was not seen yet is asked
 * about again where other calendars have promised too: the one that named the block may be wrong.
 */
export async function upgradeSubmitted(parts: Timestamping): Promise<Outcome> {
  const states: AnchorState[] = parts.headers ? ['submitted', 'attested'] : ['submitted'];
  const rows = await parts.database.read((tx) => checkpointsToAsk(tx, states, parts.world.now(), atOnce));
  const silent = new Map<string, string>();
  const outcome = await stepThrough(rows, parts.world, async (row) => {
    const { timestamp } = readDetached(row.ots ?? new Uint8Array());
    const upgraded = await upgrade(parts.calendars, timestamp, silent);
    const heights = heightsOf(upgraded);
    if (heights.length <= row.heights.length) return [];
    const body = { size: row.size, ots: fileOf(upgraded), heights };
    return recordOf(parts, row, { kind: 'anchor.attested', body });
  });
  const [[calendar, reason] = []] = silent;
  return { done: outcome.done, failure: outcome.failure ?? (calendar ? `${calendar}: ${reason}` : null) };
}

/** @param silent calendars that cannot be asked, with the reason: each is waited for once in a round */
async function upgrade(
  calendars: CalendarClient,
  timestamp: Timestamp,
  silent: Map<string, string>,
): Promise<Timestamp> {
  let current = timestamp;
  for (const { attestation, message } of commitments(timestamp)) {
    if (attestation.kind !== 'pending' || silent.has(attestation.uri)) continue;
    const answer = await calendars.upgrade(attestation.uri, message);
    if (answer.state === 'unavailable') silent.set(attestation.uri, answer.reason);
    if (answer.state !== 'upgraded') continue;
    const fulfilled = fulfil(current, attestation.uri, answer.timestamp);
    if (isReadable(fulfilled)) current = fulfilled;
  }
  return current;
}

/** The answers of several calendars may be too long together, and what cannot be read back would prove nothing. */
function isReadable(timestamp: Timestamp): boolean {
  try {
    readTimestamp(writeTimestamp(timestamp), timestamp.message);
    return true;
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

const names = {
  'anchor.submitted': 'submitted',
  'anchor.attested': 'attested',
  'anchor.confirmed': 'confirmed',
  'anchor.lost': 'lost',
} as const satisfies Partial<Record<LogEvent['kind'], Step>>;

type AnchorEvent = Extract<LogEvent, { kind: keyof typeof names }>;

/**
 * Records what became of a checkpoint, unless something else has become of it since it was read: another process was
 * faster then. A calendar's answer is not given up because of another writer in the log.
 */
export function recordOf(
  { database, record }: Pick<Timestamping, 'database' | 'record'>,
  read: CheckpointRow,
  event: AnchorEvent,
): Promise<Step[]> {
  return whileLogMoves(async () => {
    const [{ head }, now] = await database.read((tx) => Promise.all([logState(tx), checkpointOf(tx, read.size)]));
    if (now?.anchor !== read.anchor || now.heights.length !== read.heights.length) return [];
    await record(head, event);
    return [names[event.kind]];
  });
}

/** SHA-256 of the text that was signed. */
function digestOf({ note }: CheckpointRow): Buffer {
  const { text } = parseNote(Buffer.from(note, 'utf8'));
  return createHash('sha256').update(text, 'utf8').digest();
}

const heightsOf = (timestamp: Timestamp): number[] => [
  ...new Set(
    commitments(timestamp).flatMap(({ attestation }) => (attestation.kind === 'bitcoin' ? [attestation.height] : [])),
  ),
];

const fileOf = (timestamp: Timestamp): string =>
  Buffer.from(writeDetached({ hash: 'sha256', timestamp })).toString('base64');
