import { setTimeout as pause } from 'node:timers/promises';
import type { estypes } from '@elastic/elasticsearch';
import { pauseAfter } from '../../base/backoff.js';
import { inGroups } from '../../base/groups.js';
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
/** The age at which changes are read again before they are sent. An index remembers deletions for much longer (`gc_deletes`). */
const freshMs = 10_000;

/**
 * Sends the changes that `read` returns, request by request. What the cluster cannot take at the moment is read again and
 * sent again until it is taken, which slows down the caller. So nothing is sent that was deleted while the cluster refused it.
 * Repeating a change is harmless: an older version never replaces a newer one.
 * @throws ElasticsearchFault when the cluster is away, or the index is missing; some changes may have been taken then
 */
export async function sendChanges(
  cluster: Cluster,
  read: () => Promise<readonly Change[]>,
  sending: Sending,
): Promise<Untaken> {
  const outcomes: Outcomes = { done: new Map(), refused: new Map(), newer: new Map() };
  for (let waits = 0; ; ) {
    sending.lost.throwIfAborted();
    const changes = (await read()).filter(({ id, version }) => outcomes.done.get(id) !== version);
    const rest = await sendFresh(cluster, requestsOf(changes), sending, outcomes);
    if (rest === 'none') return outcomes;
    if (rest === 'old') continue;
    await pause(Math.max(pauseAfter(backoff, waits), rest.atLeastMs), undefined, { signal: sending.lost });
    waits += 1;
  }
}

/** @returns what is left: nothing, changes that have become too old to be sent, or changes that must wait */
async function sendFresh(
  cluster: Cluster,
  requests: readonly (readonly Change[])[],
  sending: Sending,
  outcomes: Outcomes,
): Promise<'none' | 'old' | { readonly atLeastMs: number }> {
  const readAt = performance.now();
  for (const [at, request] of requests.entries()) {
    if (at > 0 && performance.now() - readAt > freshMs) return 'old';
    sending.lost.throwIfAborted();
    const atLeastMs = await sendOnce(cluster, request, sending, outcomes);
    if (atLeastMs !== null) return { atLeastMs };
  }
  return 'none';
}

const requestsOf = (changes: readonly Change[]): Change[][] =>
  inGroups(changes, ({ json }) => json?.length ?? 0, { size: mostBytes, items: mostChanges });

interface Outcomes {
  /** The versions of the changes that need not be sent again, by their ids. */
  readonly done: Map<string, number>;
  readonly refused: Map<string, string>;
  readonly newer: Map<string, number>;
}

/** @returns the time to wait at least, in milliseconds, when changes must be sent again; else null */
async function sendOnce(
  cluster: Cluster,
  changes: readonly Change[],
  { index, refresh, lost }: Sending,
  outcomes: Outcomes,
): Promise<number | null> {
  const answer = await askBulk(cluster, changes, index, refresh, lost);
  if (typeof answer === 'number') return answer;
  let isComplete = true;
  for (const [at, item] of answer.items.entries()) {
    const change = changes[at];
    const result = item.index ?? item.delete;
    if (!change || !result) continue;
    if (noteOutcome(change, result, outcomes)) outcomes.done.set(change.id, change.version);
    else isComplete = false;
  }
  return isComplete ? null : 0;
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
