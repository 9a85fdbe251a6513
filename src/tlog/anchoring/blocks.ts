import { type CheckpointRow, checkpointsIn, confirmedSince } from '../../../projections/log/queries.js';
import { parseHeader, shownHash } from '../../verifier/bitcoin.js';
import { readDetached } from '../../verifier/ots/read.js';
import { type TimestampClaim, verifyTimestamp } from '../../verifier/ots/verify.js';
import type { BitcoinHeaders } from './sources.js';
import { type Outcome, reasonOf, type Step, stepThrough } from './steps.js';
import { atOnce, recordOf, type Timestamping } from './timestamps.js';

/** A block that is two days old is under some 288 others; none so deep was ever replaced. */
const replaceableMs = 2 * 86_400_000;
/** More than are confirmed in that time at an interval of ten minutes. */
const mostReplaceable = 500;

/** Looks into the blocks that are said to hold a checkpoint. One that does not is given back to the calendars. */
export async function confirmAttested(parts: Timestamping): Promise<Outcome> {
  if (!parts.headers) return { done: [], failure: null };
  const { database, world } = parts;
  const headers = askedOnce(parts.headers);
  const attested = await database.read((tx) => checkpointsIn(tx, ['attested'], atOnce));
  const first = await stepThrough(attested, world, (row) => confirm(parts, headers, row));
  const since = new Date(world.now().getTime() - replaceableMs).toISOString();
  const recent = await database.read((tx) => confirmedSince(tx, since, mostReplaceable));
  const again = await stepThrough(recent, world, (row) => confirmAgain(parts, headers, row));
  return { done: [...first.done, ...again.done], failure: first.failure ?? again.failure };
}

/** Many checkpoints are in one block, and a source that does not answer is waited for once for each block. */
function askedOnce(source: BitcoinHeaders): BitcoinHeaders {
  const asked = new Map<number, Promise<Uint8Array | undefined>>();
  return {
    header(height) {
      const answer = asked.get(height) ?? source.header(height);
      asked.set(height, answer);
      return answer;
    },
  };
}

/** The claim of a block about a checkpoint that is said to be in it. */
interface Look {
  readonly height: number;
  readonly header: Uint8Array;
  readonly claim: TimestampClaim;
}

async function confirm(parts: Timestamping, headers: BitcoinHeaders, row: CheckpointRow): Promise<Step[]> {
  const { looks, failure } = await lookInto(parts, headers, row);
  const [best] = looks.flatMap(({ claim, ...block }) => (claim.state === 'verified' ? [{ ...block, ...claim }] : []));
  const { size } = row;
  if (best) {
    const { height, blockHash: block_hash, header } = best;
    const block = { height, header: Buffer.from(header).toString('hex'), block_hash };
    const block_time = new Date(best.time * 1000).toISOString();
    return recordOf(parts, row, { kind: 'anchor.confirmed', body: { size, ...block, block_time } });
  }
  const wrong = looks.find(({ claim }) => claim.state === 'failed');
  if (wrong) {
    const { height, header } = wrong;
    return recordOf(parts, row, { kind: 'anchor.lost', body: { size, height, block_hash: hashOf(header) } });
  }
  if (failure) throw failure;
  return [];
}

/** The blocks that can be looked into, oldest first: a calendar may name one that no source will ever have. */
async function lookInto({ easiest }: Timestamping, headers: BitcoinHeaders, { ots, heights }: CheckpointRow) {
  const { timestamp } = readDetached(ots ?? new Uint8Array());
  const looks: Look[] = [];
  let failure: Error | null = null;
  for (const height of heights.toSorted((a, b) => a - b)) {
    try {
      const header = await headers.header(height);
      const given = (asked: number) => (asked === height ? header : undefined);
      if (header) looks.push({ height, header, claim: verifyTimestamp(timestamp, given, easiest) });
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(reasonOf(error));
    }
  }
  return { looks, failure };
}

async function confirmAgain(parts: Timestamping, headers: BitcoinHeaders, row: CheckpointRow): Promise<Step[]> {
  const { size, height, block_hash } = row;
  if (height === null || block_hash === null) return [];
  const header = await headers.header(height);
  if (!header || hashOf(header) === block_hash) return [];
  return recordOf(parts, row, { kind: 'anchor.lost', body: { size, height, block_hash } });
}

const hashOf = (header: Uint8Array): string => shownHash(parseHeader(header).hash);
