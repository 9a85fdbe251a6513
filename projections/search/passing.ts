import type { Transaction, Value } from '../../src/database/database.js';
import { memoryRows } from '../memory/rows.js';
import type { Failing, SearchCache } from './cache.js';

type Bind = (value: Value) => string;

/**
 * A condition on `memories m`, as SQL. `bind` takes a value and returns its placeholder. Example:
 * `(bind) => \`m.agent_id = ${bind('a')} and not m.playground\``.
 */
export interface Filter {
  (bind: Bind): string;
  /** Equal for filters with the same meaning. Results of a filter without a key are not cached. */
  readonly key?: string;
  /**
   * Lists from database indexes, for filters that have some. Each is SQL of the numbers (`seq`) of all memories that may pass,
   * in the namespaces that the SQL `namespaceIds` gives and possibly in others.
   */
  readonly among?: readonly ((bind: Bind, namespaceIds: string) => string)[];
  /** The range of the numbers of all memories that may pass: from `first` up to, but without, `end`. */
  readonly range?: { readonly first: number; readonly end: number | null };
}

export const everything: Filter = () => 'true';

/** The memories that may pass a filter, as far as that is known before the memories are compared with it. */
export interface MayPass {
  has(seq: number): boolean;
  /** All memories that may pass, if an index has listed them. */
  readonly few: readonly number[] | undefined;
}

/** A longer list from an index is not used, because it does not help: memories that pass are frequent then. */
const mostAmong = 10_000;

/**
 * The number of memories that one statement over all memories compares with a filter in the time that one single look-up takes.
 * In PGlite at 200,000 memories the comparison takes 2 µs for each memory, and a look-up takes 25 µs, or 90 with a vector.
 */
const comparedPerLook = 25;

/**
 * The knowledge of which memories pass, shared by both arms of a search, which run in one transaction and have the same
 * filter.
 */
interface Passing {
  /** The memories that may pass, as far as known by now; undefined while any memory may. */
  mayPass(): MayPass | undefined;
  /**
   * Whether all memories should be compared with the filter instead of making `looks` look-ups: because that costs less, or
   * because these are more than `most`.
   */
  worthComparing(looks: number, most: number): boolean;
  /** Compares all memories with the filter, once for both arms. */
  compareAll(): Promise<void>;
  /** Records a number of look-ups of memories that did not pass. */
  waste(looks: number): void;
}

interface Scope {
  readonly namespaceIds: readonly string[];
  /** The number of documents in these namespaces. */
  readonly documents: number;
}

const known = new WeakMap<Transaction, Map<Filter, Map<string, Promise<Passing>>>>();

export function passingOf(tx: Transaction, cache: SearchCache, scope: Scope, filter: Filter): Promise<Passing> {
  const filters = known.get(tx) ?? new Map<Filter, Map<string, Promise<Passing>>>();
  known.set(tx, filters);
  const passings = filters.get(filter) ?? new Map<string, Promise<Passing>>();
  filters.set(filter, passings);
  const namespaces = scope.namespaceIds.toSorted().join(' ');
  const passing = passings.get(namespaces) ?? openPassing(tx, cache, `${namespaces} ${filter.key}`, scope, filter);
  passings.set(namespaces, passing);
  return passing;
}

async function openPassing(
  tx: Transaction,
  cache: SearchCache,
  key: string,
  { namespaceIds, documents }: Scope,
  filter: Filter,
): Promise<Passing> {
  const few = await fewAmong(tx, namespaceIds, filter);
  let failing: Failing = cache.failing.get(key) ?? { bits: new Uint32Array(0), wasted: 0 };
  const store = (current: Failing) => {
    failing = current;
    if (filter.key !== undefined) cache.failing.set(key, current, current.bits.byteLength + 2 * key.length + 100);
  };
  let compared: Promise<void> | undefined;
  const passing: Passing = {
    mayPass: () => mayPassOf(filter, few, failing.bits),
    worthComparing: (looks, most) => !few && (looks > most || comparedPerLook * looks > documents),
    compareAll() {
      compared ??= findFailing(tx, namespaceIds, filter).then((bits) => store({ bits, wasted: 0 }));
      return compared;
    },
    waste: (looks) => store({ ...failing, wasted: failing.wasted + looks }),
  };
  // Earlier searches have wasted as much time as comparing all memories takes.
  if (passing.worthComparing(failing.wasted, documents)) await passing.compareAll();
  return passing;
}

function mayPassOf({ range }: Filter, few: readonly number[] | undefined, failing: Uint32Array): MayPass | undefined {
  const first = range?.first ?? 0;
  const last = range?.end ?? Number.POSITIVE_INFINITY;
  if (!few && failing.length === 0 && first === 0 && last === Number.POSITIVE_INFINITY) return undefined;
  const fails = (seq: number) => (((failing[seq >>> 5] ?? 0) >>> (seq & 31)) & 1) === 1;
  if (!few) return { few: undefined, has: (seq) => seq >= first && seq < last && !fails(seq) };
  const left = few.filter((seq) => seq >= first && seq < last && !fails(seq));
  const numbers = new Set(left);
  return { few: left, has: (seq) => numbers.has(seq) };
}

/** The memories that are in all lists from indexes, if at least one list is short; otherwise undefined. */
async function fewAmong(
  tx: Transaction,
  namespaceIds: readonly string[],
  { among = [] }: Filter,
): Promise<readonly number[] | undefined> {
  if (among.length === 0) return undefined;
  const params: Value[] = [namespaceIds];
  const lists = among.map((list) => list((value) => `$${params.push(value)}`, '$1::uuid[]'));
  const rows = await tx.query<{ seqs: number[] }>(
    lists.map((list) => `select array(${list} limit ${mostAmong + 1}) as seqs`).join(' union all '),
    params,
  );
  const [first, ...rest] = rows
    .map(({ seqs }) => seqs)
    .filter((seqs) => seqs.length <= mostAmong)
    .map((seqs) => new Set(seqs));
  return first && [...first].filter((seq) => rest.every((others) => others.has(seq))).sort((a, b) => a - b);
}

/**
 * The numbers of all memories that may pass the filter, if they are few; otherwise null. `listed` uses lists from indexes only,
 * and `compared` compares the memories with the filter until these are too many.
 */
export async function fewPassing(
  tx: Transaction,
  namespaceIds: readonly string[],
  filter: Filter,
  how: 'listed' | 'compared',
): Promise<readonly number[] | null> {
  if (how === 'listed') return (await fewAmong(tx, namespaceIds, filter)) ?? null;
  const params: Value[] = [namespaceIds];
  const condition = filter((value) => `$${params.push(value)}`);
  const rows = await tx.query<{ seq: number }>(
    `select m.seq from ${memoryRows} m where m.namespace_id = any($1::uuid[]) and (${condition}) limit ${mostAmong + 1}`,
    params,
  );
  return rows.length > mostAmong ? null : rows.map(({ seq }) => seq);
}

/** Compares all memories with the filter, including those that are not in the search index yet. */
async function findFailing(tx: Transaction, namespaceIds: readonly string[], filter: Filter): Promise<Uint32Array> {
  const params: Value[] = [namespaceIds];
  const condition = filter((value) => `$${params.push(value)}`);
  const rows = await tx.query<{ block: number; offsets: string }>(
    `select m.seq >> 11 as block, encode(string_agg(int2send((m.seq & 2047)::smallint), ''), 'base64') as offsets
       from ${memoryRows} m where m.namespace_id = any($1::uuid[]) and (${condition}) is not true group by 1`,
    params,
  );
  const bits = new Uint32Array(64 * (1 + rows.reduce((last, { block }) => Math.max(last, block), -1)));
  for (const { block, offsets } of rows) {
    const numbers = Buffer.from(offsets, 'base64');
    for (let at = 0; at < numbers.length; at += 2) {
      const seq = 2048 * block + numbers.readUInt16BE(at);
      bits[seq >>> 5] = (bits[seq >>> 5] ?? 0) | (1 << (seq & 31));
    }
  }
  return bits;
}
