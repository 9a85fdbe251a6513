import type { BoundedCache } from '../../src/base/bounded-cache.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { reinstatementRows } from '../memory/rows.js';
import { mostNumbers } from './counts.js';
import { bytesOfRecent, continuedRecent, documentsIn, isContinuedBy, type Recent, recentBytes } from './recent.js';

/**
 * How far the index of a namespace has come. Most changes add documents behind all others, so what was read of it before is still
 * right, and only the blocks from that of the document `newest` on are read again. After any other change `base` is another one, and
 * so it is after a change by which one of its memories may pass other filters.
 */
export interface Reach {
  readonly base: string;
  /** The largest number of a document that was ever added. */
  readonly newest: number;
}

/** The state of a namespace in the index. */
export interface NamespaceState extends Reach {
  readonly id: string;
  /** The number of its documents, and the number of words in all of them. */
  readonly documents: number;
  readonly length: number;
  /** Its newest documents, which are not in blocks. */
  readonly recent: Recent;
  /** The blocks from which documents were removed last, as `removed` of the table has them, with spaces between. */
  readonly removed: string;
}

/**
 * The blocks of documents that were removed since something was read of the index; null where it has changed in another way too. What was
 * read of other blocks is still right.
 */
export function removedSince(held: Reach, { base, removed }: NamespaceState): ReadonlySet<number> | null {
  const [[table, from], [tableNow, to]] = [held.base.split(' '), base.split(' ')];
  const numbers = removed.split(' ');
  let at = 0;
  while (at < numbers.length && numbers[at] !== from) at += 3;
  const mayLack = at === 0 && numbers.length === mostNumbers;
  const blocks = new Set<number>();
  let [before, after] = [from, from];
  for (; at < numbers.length; at += 3) {
    const isContinued = numbers[at] === after || (numbers[at] === before && numbers[at + 1] === after);
    if (!isContinued) return null;
    [before, after] = [numbers[at], numbers[at + 1]];
    blocks.add(Number(numbers[at + 2]));
  }
  return table === tableNow && after === to && blocks.size > 0 && !mayLack ? blocks : null;
}

/**
 * From which block on the index must be read again to bring up to date what was read before: 0 if nothing of it can be used, null if
 * it is up to date. A search that began earlier has an earlier reach, for which what is newer is right too.
 */
export function staleFrom(held: Reach | undefined, now: Reach, bits: number): number | null {
  if (held === undefined || held.base !== now.base) return 0;
  return held.newest >= now.newest ? null : Math.floor(held.newest / 2 ** bits);
}

/** SQL of the base of the index of a namespace `n`. A table that was rebuilt has another number. */
const base = `n.tableoid::text || ' ' || coalesce(r.rewritten, 0)::text`;

/** SQL of the largest number of a document that was ever added to it. */
const newest = 'coalesce(r.newest, 0)';

/**
 * SQL of the columns of a `StateRow` from the row `n` of a namespace. `k` is what this process knows of its newest documents, so that
 * only those behind them are sent. It is one statement: between two, documents might be sealed.
 */
const stateColumns = `n.namespace_id::text as id, ${base} as base, ${newest} as newest, n.documents, n.length, n.sealed,
            array_to_string(coalesce(r.removed, '{}'), ' ') as removed,
            (select encode(${recentBytes}, 'base64') from search_recent w
              where w.namespace_id = n.namespace_id
                and w.seq > case when ${isContinuedBy({ base, newest })} then k.newest else 0 end) as recent`;
const stateRows = (first: number) => `
  unnest($${first}::uuid[], $${first + 1}::text[], $${first + 2}::bigint[], $${first + 3}::bigint[]) k(id, base, newest, since)
  join search_namespaces n on n.namespace_id = k.id left join search_reach r on r.namespace_id = n.namespace_id`;

/** The states that a transaction has read; null for a namespace without a row, which has nothing in the index. */
const read = new WeakMap<Transaction, Map<string, Promise<NamespaceState | null>>>();

/**
 * The states of namespaces, without those that have nothing in the index. A transaction reads each once: words, similar words and
 * vectors need them at several places of a search. What is read later may be newer: it is kept as the earlier state, so the next search
 * reads a part of it again. The result is ordered by id.
 */
export async function namespaceStates(
  tx: Transaction,
  cache: RecentCache,
  ids: readonly string[],
): Promise<NamespaceState[]> {
  const known = knownIn(tx);
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0) {
    const held = heldOf(cache, missing);
    const rows = tx.query<StateRow>(`select ${stateColumns} from ${stateRows(1)}`, paramsOf(held));
    note({ known, cache, held }, rows);
  }
  const states = await Promise.all(ids.map(async (id) => known.get(id)));
  return states.flatMap((one) => one ?? []).sort(byId);
}

const byId = (a: NamespaceState, b: NamespaceState): number => (a.id < b.id ? -1 : Number(a.id > b.id));

/** The newest documents of namespaces, as far as searches have read them. */
interface RecentCache {
  readonly recent: BoundedCache<Recent>;
}

interface StateRow extends Row, Reach {
  readonly id: string;
  readonly documents: number;
  readonly length: number;
  readonly sealed: number;
  readonly recent: string | null;
  readonly removed: string;
}

function knownIn(tx: Transaction): Map<string, Promise<NamespaceState | null>> {
  const known = read.get(tx) ?? new Map<string, Promise<NamespaceState | null>>();
  read.set(tx, known);
  return known;
}

/** The newest documents of each namespace that are known when its state is read. Another search may bring the cache further meanwhile. */
type Held = ReadonlyMap<string, Recent | undefined>;

const heldOf = (cache: RecentCache, ids: readonly string[]): Held =>
  new Map(ids.map((id) => [id, cache.recent.get(id)]));

const paramsOf = (held: Held) => [
  [...held.keys()],
  Array.from(held.values(), (one) => one?.base ?? ''),
  Array.from(held.values(), (one) => one?.newest ?? 0),
  Array.from(held.values(), (one) => one?.from ?? 0),
];

interface Noted {
  readonly known: ReturnType<typeof knownIn>;
  readonly cache: RecentCache;
  readonly held: Held;
}

function note({ known, cache, held }: Noted, rows: Promise<readonly StateRow[]>): void {
  const states = rows.then((found) => new Map(found.map((row) => [row.id, stateOf(row, held.get(row.id))])));
  // Noted when it has come, and not by the first that looks at it.
  states.then(
    (all) => {
      for (const [id, { recent }] of all) {
        if (isNews(recent, cache.recent.get(id))) cache.recent.set(id, recent, bytesOfRecent(recent));
      }
    },
    () => undefined,
  );
  for (const id of held.keys()) {
    known.set(
      id,
      states.then((all) => all.get(id) ?? null),
    );
  }
}

/** A replica may show less than is known. */
const isNews = (recent: Recent, known: Recent | undefined): boolean =>
  recent !== known && !(known?.base === recent.base && known.newest > recent.newest);

function stateOf(
  { id, documents, length, recent, removed, ...row }: StateRow,
  held: Recent | undefined,
): NamespaceState {
  const now = continuedRecent(held, row, recent === null ? [] : documentsIn(Buffer.from(recent, 'base64')));
  return { id, base: now.base, newest: now.newest, documents, length, recent: now, removed };
}

/** The state of the index of a workspace. */
export interface IndexState {
  /** The last reinstatement or promotion in the workspace; 0 before the first one. */
  readonly reinstated: number;
  /** Whether a memory of the workspace may be missing in the index because of a rebuild. */
  readonly isRebuilding: boolean;
}

/** Without an id for no row at all. */
type IndexRow = Row & { reinstated: number; isRebuilding: boolean } & (StateRow | { readonly id: null });

/** Reads this with the states of the namespaces, in one statement. */
export async function indexState(
  tx: Transaction,
  cache: RecentCache,
  workspaceId: string,
  namespaceIds: readonly string[],
): Promise<IndexState> {
  const held = heldOf(cache, namespaceIds);
  const rows = tx.query<IndexRow>(
    `select s.*, coalesce((select seq from ${reinstatementRows} r where r.workspace_id = $1), 0) as reinstated,
            exists (select 1 from search_rebuild b where b.workspace_id = $1) as "isRebuilding"
       from (values (1)) one left join (select ${stateColumns} from ${stateRows(2)}) s on true`,
    [workspaceId, ...paramsOf(held)],
  );
  note(
    { known: knownIn(tx), cache, held },
    rows.then((found) => found.flatMap((row) => (row.id === null ? [] : [row]))),
  );
  const [first] = await rows;
  return { reinstated: first?.reinstated ?? 0, isRebuilding: first?.isRebuilding ?? false };
}
