import { setTimeout as pause } from 'node:timers/promises';
import type { estypes } from '@elastic/elasticsearch';
import { type Cluster, ElasticsearchFault } from './client.js';
import { writeAliasOf } from './mapping.js';

/** One document that is written or deleted. */
export interface Change {
  readonly id: string;
  readonly version: number;
  /** The complete document; null deletes it. */
  readonly json: string | null;
}

/** Changes that the cluster did not take. Every other change is durable there. */
export interface Untaken {
  /** The types of the errors of changes that the cluster refuses permanently, by their ids. */
  readonly refused: ReadonlyMap<string, string>;
  /** The versions of documents that are newer than their changes, by their ids. */
  readonly newer: ReadonlyMap<string, number>;
}

export interface Sending {
  /** The name of the index. */
  readonly index: string;
  /** Whether searches find the changes when this resolves. */
  readonly refresh: boolean;
  /** Nothing more may be sent when it is aborted. */
  readonly lost: AbortSignal;
}

/** The bounds of one request. One that is larger than the first consists of one change. */
const mostBytes = 1024 * 1024;
const mostChanges = 500;
/** A cluster that is not answering for longer is taken to be away. */
const timeoutMs = 15_000;
/** The waiting time after a cluster that has too much to do or no room: at first, and at most. */
const backoff = { firstMs: 100, longestMs: 2000 };

/**
 * Sends changes, request by request. A change that the cluster cannot take at the moment is sent again until it is taken, which
 * slows down the caller. Repeating a change is harmless: an older version never replaces a newer one.
 * @throws ElasticsearchFault when the cluster is away, or the index is missing; some changes may have been taken then
 */
export async function sendChanges(cluster: Cluster, changes: readonly Change[], sending: Sending): Promise<Untaken> {
  const refused = new Map<string, string>();
  const newer = new Map<string, number>();
  for (const request of requestsOf(changes)) {
    let left: readonly Change[] = request;
    for (let waitMs = backoff.firstMs; left.length > 0; waitMs = Math.min(2 * waitMs, backoff.longestMs)) {
      sending.lost.throwIfAborted();
      const { again, atLeastMs } = await sendOnce(cluster, left, sending, { refused, newer });
      left = again;
      if (left.length > 0) await pause(Math.max(waitMs, atLeastMs), undefined, { signal: sending.lost });
    }
  }
  return { refused, newer };
}

function requestsOf(changes: readonly Change[]): Change[][] {
  const requests: Change[][] = [];
  let room = 0;
  for (const change of changes) {
    const bytes = change.json?.length ?? 0;
    const request = requests.at(-1);
    if (request && request.length < mostChanges && bytes <= room) request.push(change);
    else {
      requests.push([change]);
      room = mostBytes;
    }
    room -= bytes;
  }
  return requests;
}

interface Outcomes {
  readonly refused: Map<string, string>;
  readonly newer: Map<string, number>;
}

interface Rest {
  /** The changes that must be sent again. */
  readonly again: readonly Change[];
  readonly atLeastMs: number;
}

async function sendOnce(
  cluster: Cluster,
  changes: readonly Change[],
  { index, refresh, lost }: Sending,
  outcomes: Outcomes,
): Promise<Rest> {
  const answer = await askBulk(cluster, changes, index, refresh, lost);
  if (typeof answer === 'number') return { again: changes, atLeastMs: answer };
  const again: Change[] = [];
  for (const [at, item] of answer.items.entries()) {
    const change = changes[at];
    const result = item.index ?? item.delete;
    if (change && result && !noteOutcome(change, result, outcomes)) again.push(change);
  }
  return { again, atLeastMs: 0 };
}

/** @returns the time to wait at least, in milliseconds, when the cluster has taken nothing because it has too much to do */
async function askBulk(
  cluster: Cluster,
  changes: readonly Change[],
  index: string,
  refresh: boolean,
  lost: AbortSignal,
) {
  try {
    return await cluster.ask((client) =>
      client.bulk(
        {
          index: writeAliasOf(index),
          // Otherwise the cluster would make a missing index, without its mapping.
          require_alias: true,
          refresh,
          operations: changes.flatMap(linesOf),
          filter_path: 'items.*.status,items.*.error.type,items.*.error.reason',
        },
        { requestTimeout: timeoutMs, signal: lost },
      ),
    );
  } catch (error) {
    if (error instanceof ElasticsearchFault && error.status === 429) return error.retryAfterMs;
    throw error;
  }
}

function linesOf({ id: _id, version, json }: Change): string[] {
  // A request whose answer was lost is repeated with the same versions.
  const meta = { _id, version, version_type: 'external_gte' };
  return json === null ? [JSON.stringify({ delete: meta })] : [JSON.stringify({ index: meta }), json];
}

/** @returns false when the change must be sent again */
function noteOutcome(
  { id, json }: Change,
  { status, error }: Pick<estypes.BulkResponseItem, 'status' | 'error'>,
  { refused, newer }: Outcomes,
): boolean {
  const type = error?.type ?? '';
  if (status < 300 || (status === 404 && json === null && !error)) return true;
  if (status === 409) {
    newer.set(id, currentVersion(error?.reason ?? ''));
    return true;
  }
  if (status === 429 || status === 503) return false;
  if (status >= 500 || status === 404 || status === 403) throw new ElasticsearchFault(status, type);
  refused.set(id, type);
  return true;
}

/** The version that a conflict names, which only its text has; 0 when it names none. */
const currentVersion = (reason: string): number => Number(/current version \[(\d+)\]/.exec(reason)?.[1] ?? 0);
