import type { Transaction, Value } from '../../src/adapters/database/database.js';
import { memoryRows } from '../memory/rows.js';
import type { SearchCache } from './cache.js';

type Bind = (value: Value) => string;

/**
 * A condition on `memories m`, as SQL; `bind` takes a value and gives the placeholder that stands for it. Example:
 * `(bind) => \`m.agent_id = ${bind('a')} and not m.playground\``.
 */
export interface Filter {
  (bind: Bind): string;
  /** The same for filters that say the same. Without one nothing of it is kept. */
  readonly key?: string;
  /**
   * Where indexes show which memories may pass: each is SQL of the numbers (`seq`) of all that may, of the namespaces that
   * the SQL `namespaceIds` gives or of more.
   */
  readonly among?: readonly ((bind: Bind, namespaceIds: string) => string)[];
  /** Between which numbers all stand that may pass. */
  readonly range?: { readonly first: number; readonly end: number | null };
}

export const everything: Filter = () => 'true';

/** Which memories of what is searched may pass a filter, by what is known before any is looked at. */
export interface MayPass {
  has(seq: number): boolean;
  /** All of them, where an index has given them. */
  readonly few: readonly number[] | undefined;
}

/** More numbers than this from an index are no help: memories that pass are frequent then. */
const mostAmong = 10_000;

/**
 * As many memories are compared with a filter, all at once, in the time of one look: in PGlite at 200,000 memories 2 µs against
 * 25, and against 90 where a vector is compared too.
 */
const comparedPerLook = 25;

/**
 * Which memories are known to fail a filter, by their numbers. That stays true: what filters ask for never changes in a memory.
 * Of those that were written since, or moved here, nothing is known.
 */
export interface Failing {
  bits: Uint32Array;
  /** Looks at memories that did not pass, since all were compared. */
  wasted: number;
}

/** Knowledge of which memories pass, for both arms of a search: they look in one transaction, with one filter. */
export interface Passing {
  /** As far as is known by now; undefined while any may. */
  mayPass(): MayPass | undefined;
  /** Whether comparing all memories with the filter is better than this number of looks, of which `most` are always acceptable. */
  worthComparing(looks: number, most: number): boolean;
  /** Compares all memories with the filter, once for both arms. */
  compareAll(): Promise<void>;
  /** Takes note of looks that were in vain. */
  waste(looks: number): void;
}

interface Scope {
  readonly namespaceIds: readonly string[];
  /** Documents in these namespaces. */
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
  const keep = (now: Failing) => {
    failing = now;
    if (filter.key !== undefined) cache.failing.set(key, now, now.bits.byteLength + 2 * key.length + 100);
  };
  let compared: Promise<void> | undefined;
  const passing: Passing = {
    mayPass: () => mayPassOf(filter, few, failing.bits),
    worthComparing: (looks, most) => !few && (looks > most || comparedPerLook * looks > documents),
    compareAll() {
      compared ??= findFailing(tx, namespaceIds, filter).then((bits) => keep({ bits, wasted: 0 }));
      return compared;
    },
    waste: (looks) => keep({ ...failing, wasted: failing.wasted + looks }),
  };
  // By now as much was wasted as it costs to know.
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

/** The memories that all of the indexes give that know which may pass, when one gives few; else undefined. */
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

/** Also of memories that are not in the index yet. */
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
