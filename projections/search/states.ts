import type { Row, Transaction } from '../../src/database/database.js';
import { reinstatementRows } from '../memory/rows.js';

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
}

/**
 * From which block on the index must be read again to bring up to date what was read before: 0 if nothing of it can be used, null if
 * it is up to date. A search that began earlier has an earlier reach, for which what is newer is right too.
 */
export function staleFrom(held: Reach | undefined, now: Reach, bits: number): number | null {
  if (held === undefined || held.base !== now.base) return 0;
  return held.newest >= now.newest ? null : Math.floor(held.newest / 2 ** bits);
}

/** SQL of the columns of a `NamespaceState` from the row `n` of a namespace. A table that was rebuilt has another number. */
const stateColumns = `n.tableoid::text || ' ' || coalesce(r.rewritten, 0)::text as base, coalesce(r.newest, 0) as newest,
       n.documents, n.length`;
const reach = 'left join search_reach r on r.namespace_id = n.namespace_id';

/** The states that a transaction has read; null for a namespace without a row, which has nothing in the index. */
const read = new WeakMap<Transaction, Map<string, Promise<NamespaceState | null>>>();

/**
 * The states of namespaces, without those that have nothing in the index. A transaction reads each once: words, similar words and
 * vectors need them at several places of a search. What is read later may be newer: it is kept as the earlier state, so the next search
 * reads a part of it again. The result is ordered by id.
 */
export async function namespaceStates(tx: Transaction, ids: readonly string[]): Promise<NamespaceState[]> {
  const known = knownIn(tx);
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0) {
    note(
      known,
      missing,
      tx.query<StateRow>(
        `select n.namespace_id::text as id, ${stateColumns} from search_namespaces n ${reach}
          where n.namespace_id = any($1::uuid[])`,
        [missing],
      ),
    );
  }
  const states = await Promise.all(ids.map(async (id) => known.get(id)));
  return states.flatMap((one) => one ?? []).sort(byId);
}

const byId = (a: NamespaceState, b: NamespaceState): number => (a.id < b.id ? -1 : Number(a.id > b.id));

/** Without an id for no row at all. */
type StateRow = Row & (NamespaceState | { readonly id: null });

function knownIn(tx: Transaction): Map<string, Promise<NamespaceState | null>> {
  const known = read.get(tx) ?? new Map<string, Promise<NamespaceState | null>>();
  read.set(tx, known);
  return known;
}

function note(known: ReturnType<typeof knownIn>, ids: readonly string[], rows: Promise<StateRow[]>): void {
  const states = rows.then(
    (found) => new Map(found.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const]))),
  );
  for (const id of ids) {
    known.set(
      id,
      states.then((all) => all.get(id) ?? null),
    );
  }
}

/** The state of the index of a workspace. */
export interface IndexState {
  /** The last reinstatement or promotion in the workspace; 0 before the first one. */
  readonly reinstated: number;
  /** Whether a memory of the workspace may be missing in the index because of a rebuild. */
  readonly isRebuilding: boolean;
}

/** Reads this with the states of the namespaces, in one statement. */
export async function indexState(
  tx: Transaction,
  workspaceId: string,
  namespaceIds: readonly string[],
): Promise<IndexState> {
  const rows = tx.query<StateRow & { reinstated: number; isRebuilding: boolean }>(
    `select n.namespace_id::text as id, ${stateColumns},
            coalesce((select seq from ${reinstatementRows} r where r.workspace_id = $1), 0) as reinstated,
            exists (select 1 from search_rebuild b where b.workspace_id = $1) as "isRebuilding"
       from (values (1)) one left join search_namespaces n on n.namespace_id = any($2::uuid[]) ${reach}`,
    [workspaceId, namespaceIds],
  );
  note(knownIn(tx), namespaceIds, rows);
  const [first] = await rows;
  return { reinstated: first?.reinstated ?? 0, isRebuilding: first?.isRebuilding ?? false };
}
