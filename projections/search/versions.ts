import type { Row, Transaction } from '../../src/database/database.js';
import { reinstatementRows } from '../memory/rows.js';
import { versionOf } from './place.js';

/**
 * Every change of the index of a namespace makes a new version of the namespace's row, and so does every change after which one of
 * its memories may pass other filters. What is cached under a version is right as long as the database has that version.
 */
export interface NamespaceVersion {
  readonly id: string;
  readonly version: string;
}

/** The versions that a transaction has read; null for a namespace without a row, which has nothing in the index. */
const read = new WeakMap<Transaction, Map<string, Promise<string | null>>>();

/**
 * The versions of namespaces, without those that have nothing in the index. A transaction reads each once: words, similar words and
 * vectors need them at several places of a search. What is read later and is newer is only kept under an older version, which no other
 * transaction asks for. The result is ordered by id.
 */
export async function namespaceVersions(tx: Transaction, ids: readonly string[]): Promise<NamespaceVersion[]> {
  const known = knownIn(tx);
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0) {
    note(
      known,
      missing,
      tx.query<VersionRow>(
        `select n.namespace_id::text as id, ${versionOf('n')} as version
           from search_namespaces n where n.namespace_id = any($1::uuid[])`,
        [missing],
      ),
    );
  }
  const versions = await Promise.all(ids.map(async (id) => ({ id, version: (await known.get(id)) ?? null })));
  return versions.flatMap(({ id, version }) => (version === null ? [] : [{ id, version }])).sort(byId);
}

const byId = (a: NamespaceVersion, b: NamespaceVersion): number => (a.id < b.id ? -1 : Number(a.id > b.id));

interface VersionRow extends Row {
  id: string | null;
  version: string;
}

function knownIn(tx: Transaction): Map<string, Promise<string | null>> {
  const known = read.get(tx) ?? new Map<string, Promise<string | null>>();
  read.set(tx, known);
  return known;
}

function note(known: Map<string, Promise<string | null>>, ids: readonly string[], rows: Promise<VersionRow[]>): void {
  const versions = rows.then((found) => new Map(found.map(({ id, version }) => [id, version])));
  for (const id of ids) {
    known.set(
      id,
      versions.then((all) => all.get(id) ?? null),
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

/** Reads this with the versions of the namespaces, in one statement. */
export async function indexState(
  tx: Transaction,
  workspaceId: string,
  namespaceIds: readonly string[],
): Promise<IndexState> {
  const rows = tx.query<VersionRow & { reinstated: number; isRebuilding: boolean }>(
    `select n.namespace_id::text as id, ${versionOf('n')} as version,
            coalesce((select seq from ${reinstatementRows} r where r.workspace_id = $1), 0) as reinstated,
            exists (select 1 from search_rebuild b where b.workspace_id = $1) as "isRebuilding"
       from (values (1)) one left join search_namespaces n on n.namespace_id = any($2::uuid[])`,
    [workspaceId, namespaceIds],
  );
  note(knownIn(tx), namespaceIds, rows);
  const [first] = await rows;
  return { reinstated: first?.reinstated ?? 0, isRebuilding: first?.isRebuilding ?? false };
}
