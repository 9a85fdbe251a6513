import type { Row, Transaction, Value } from '../../src/database/database.js';
import { exactCanonical } from '../../src/domain/exact-json.js';
import type { Filter } from '../../src/domain/filters.js';
import { isReady, jobRows } from '../ingest/rows.js';
import { filterSql } from './filter-sql.js';
import { hashOfSource } from './projection.js';
import { moreKeys, termOfValue } from './terms.js';

/** The memories that a list or a deletion is about. Invalidated memories are among them. */
export interface Selection {
  readonly namespaceIds: readonly string[];
  /** Only its leaves are used to find memories; the rest is compared with each. */
  readonly filter: Filter;
  readonly agentId: string | undefined;
  readonly status: SelectedStatus | undefined;
  /** Only those that are invalidated, or only those that are not; both without it. */
  readonly invalidated?: 'only' | 'without' | undefined;
  /** Only test memories. The filter has to include them. */
  readonly playground?: 'only' | undefined;
}

/** The entries from `first` up to, but without, `end`; no upper limit if `end` is null. */
interface Span {
  readonly first: number;
  readonly end: number | null;
}

type SelectedStatus = 'ready' | 'pending' | 'failed';

/**
 * A list of candidates in the order in which they are looked at, newest first, from an index. `sql` gives the columns `id` and
 * `place` of those before the place `before`, and at most `most` of them.
 */
interface Candidates {
  /** The type of the places. Lists of one type have the same order. */
  readonly place: 'uuid' | 'bigint';
  sql(bind: Bind, before: string, most: string): string;
}

type Bind = (value: Value) => string;

/** The memories that a look has found, and how far it has come. */
export interface Look {
  readonly ids: readonly string[];
  /** The place of each of them. */
  readonly places: readonly string[];
  readonly looked: number;
  /** The place of the last candidate; null when there are no more behind it. */
  readonly end: string | null;
}

/** Lists of candidates are compared by their length up to this one. */
const comparedLength = 1000;
/** Of pairs of a namespace and a value, each of which is one look into an index. */
const mostPairs = 1000;

/**
 * Looks at a limited number of memories, newest first, and gives those of the selection.
 * @param span entries among which all memories of the selection are
 */
export async function lookAtSelected(
  tx: Transaction,
  workspaceId: string,
  selection: Selection,
  before: string | null,
  most: number,
  span: Span = everywhere,
): Promise<Look> {
  const candidates = await candidatesOf(tx, workspaceId, selection, span);
  const params: Value[] = [];
  const bind: Bind = (value) => `$${params.push(value)}`;
  const workspace = bind(workspaceId);
  const from = `${bind(before)}::text::${candidates.place}`;
  const listed = candidates.sql(bind, from, `${bind(most)}::int`);
  const condition = conditionOf(selection, bind);
  // "offset 0" forces one look-up for each candidate. Before statistics are gathered the planner reads the whole namespace for each: 28 s of 6,000 memories.
  const [row] = await tx.query<LookRow>(
    `with c as materialized (${listed})
     select (select count(*) from c) as looked, (select c.place::text from c order by c.place limit 1) as last,
            coalesce(array_agg(m.id::text order by c.place desc), '{}') as ids,
            coalesce(array_agg(c.place::text order by c.place desc), '{}') as places
       from c cross join lateral (select * from memories where id = c.id offset 0) m
      where m.workspace_id = ${workspace} and ${condition}`,
    params,
  );
  const { ids = [], places = [], looked = 0, last = null } = row ?? {};
  return { ids, places, looked, end: looked < most ? null : last };
}

/** The memories among these that are of the selection. */
export async function selectedAmong(
  tx: Transaction,
  workspaceId: string,
  selection: Selection,
  ids: readonly string[],
): Promise<Set<string>> {
  const params: Value[] = [workspaceId, ids];
  const condition = conditionOf(selection, (value) => `$${params.push(value)}`);
  const rows = await tx.query<{ id: string }>(
    `select m.id::text from memories m where m.workspace_id = $1 and m.id = any($2::uuid[]) and ${condition}`,
    params,
  );
  return new Set(rows.map(({ id }) => id));
}

interface LookRow extends Row {
  looked: number;
  last: string | null;
  ids: string[];
  places: string[];
}

function conditionOf(selection: Selection, bind: Bind): string {
  const { namespaceIds, filter, agentId, status, invalidated, playground } = selection;
  const leaves = { ...filter.leaves, include_invalidated: true };
  const clauses = [
    `m.namespace_id = any(${bind(namespaceIds)}::uuid[])`,
    filterSql({ ...filter, leaves }, agentId)(bind),
  ];
  if (status === 'ready') clauses.push(isReady('m.id'));
  else if (status !== undefined) {
    clauses.push(`exists (select 1 from ${jobRows} j where j.memory_id = m.id and ${stageOf[status]})`);
  }
  if (invalidated !== undefined) clauses.push(invalidated === 'only' ? 'm.invalidated' : 'not m.invalidated');
  if (playground === 'only') clauses.push('m.playground');
  return clauses.join(' and ');
}

const stageOf: Readonly<Record<Exclude<SelectedStatus, 'ready'>, string>> = {
  failed: `j.stage = 'failed'`,
  pending: `j.stage not in ('done', 'failed')`,
};

/** The shortest of the lists that have every memory of the selection. */
async function candidatesOf(
  tx: Transaction,
  workspaceId: string,
  selection: Selection,
  span: Span,
): Promise<Candidates> {
  const { status } = selection;
  if (status === 'failed' || status === 'pending') return ofJobs(status);
  const lists = indexLists(workspaceId, selection, span);
  const [only] = lists;
  if (!only) return ofWorkspace(workspaceId);
  if (lists.length === 1) return only;
  const lengths = await Promise.all(lists.map((list) => lengthOf(tx, list)));
  const shortest = lengths.indexOf(Math.min(...lengths));
  return lists[shortest] ?? only;
}

const everywhere: Span = { first: 0, end: null };

async function lengthOf(tx: Transaction, list: Candidates): Promise<number> {
  const params: Value[] = [];
  const bind: Bind = (value) => `$${params.push(value)}`;
  const listed = list.sql(bind, `null::${list.place}`, String(comparedLength));
  const [row] = await tx.query<{ length: number }>(`select count(*) as length from (${listed}) c`, params);
  return row?.length ?? 0;
}

const ofWorkspace = (workspaceId: string): Candidates => ({
  place: 'uuid',
  sql: (bind, before, most) =>
    `select id, id as place from memories where workspace_id = ${bind(workspaceId)}
        and id < coalesce(${before}, '${lastUuid}') order by id desc limit ${most}`,
});

/** Jobs that are open or failed, of all workspaces. They are few, and have indexes of their own. */
const ofJobs = (status: 'failed' | 'pending'): Candidates => ({
  place: 'uuid',
  sql: (_bind, before, most) =>
    `select j.memory_id as id, j.job_id as place from ${jobRows} j where ${stageOf[status]}
        and j.job_id < coalesce(${before}, '${lastUuid}') order by j.job_id desc limit ${most}`,
});

const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function indexLists(workspaceId: string, selection: Selection, span: Span): Candidates[] {
  const { namespaceIds, filter, agentId, invalidated, playground } = selection;
  const within = (before: string) => withinSpan(span, before);
  const marked = (condition: string): Candidates[] =>
    namespaceIds.length <= mostPairs ? [ofNamespaces(namespaceIds, condition, within)] : [];
  const { source, run_id, user_id, approved_by, metadata = {} } = filter.leaves;
  const column = (name: string, values: readonly string[] | undefined, hash = false): Candidates[] =>
    values && values.length * namespaceIds.length <= mostPairs
      ? [ofColumn(name, values, namespaceIds, { hash, within })]
      : [];
  return [
    ...Object.entries(metadata).flatMap(([key, { eq, in: oneOf }]) => {
      const values = eq === undefined ? oneOf : [eq];
      return values && values.length < mostPairs ? [ofTerms(workspaceId, key, values, within)] : [];
    }),
    ...column('source', source, true),
    ...column('run_id', run_id),
    ...column('approved_by', approved_by),
    ...column('user_id', user_id),
    ...column('agent_id', agentId === undefined ? undefined : [agentId]),
    ...(playground === 'only' ? marked('one.playground') : []),
    ...(invalidated === 'only' ? marked('one.invalidated') : []),
    ...(span === everywhere ? [] : marked('true')),
  ];
}

/** SQL of the condition on the numbers of candidates before a place. */
type Within = (before: string) => string;

function withinSpan({ first, end }: Span, before: string): string {
  return `one.seq >= ${first} and one.seq < least(coalesce(${before}, ${lastSeq}), ${end ?? lastSeq})`;
}

function ofNamespaces(namespaceIds: readonly string[], condition: string, within: Within): Candidates {
  return {
    place: 'bigint',
    sql: (bind, before, most) =>
      `select found.id, found.place from unnest(${bind(namespaceIds)}::uuid[]) n(id) cross join lateral (
          select one.id, one.seq as place from memories one
           where one.namespace_id = n.id and ${condition} and ${within(before)}
           order by one.seq desc limit ${most}) found
        order by found.place desc limit ${most}`,
  };
}

function ofColumn(
  name: string,
  values: readonly string[],
  namespaceIds: readonly string[],
  { hash, within }: { readonly hash: boolean; readonly within: Within },
): Candidates {
  return {
    place: 'bigint',
    sql: (bind, before, most) =>
      `select found.id, found.place from unnest(${bind(namespaceIds)}::uuid[]) n(id)
        cross join unnest(${bind(values)}::text[]) v(value) cross join lateral (
          select one.id, one.seq as place from memories one where one.namespace_id = n.id
             and ${hash ? `${hashOfSource('one.source')} = ${hashOfSource('v.value')}` : `one.${name} = v.value`}
             and one.${name} is not null and ${within(before)}
           order by one.seq desc limit ${most}) found
        order by found.place desc limit ${most}`,
  };
}

/** Memories that have one of these values under the key, and those with more keys than the index has. */
function ofTerms(workspaceId: string, key: string, values: readonly unknown[], within: Within): Candidates {
  return {
    place: 'bigint',
    sql(bind, before, most) {
      const workspace = `${bind(workspaceId)}::uuid`;
      const given = `unnest(${bind(values.map(exactCanonical))}::text[]) v(json)`;
      const hashes = `select ${termOfValue(workspace, `${bind(key)}::text`, 'v.json::jsonb')} from ${given}`;
      return `select found.id, found.place from (${hashes} union select ${moreKeys(workspace)}) t(term) cross join lateral (
          select one.memory_id as id, one.seq as place from memory_terms one
           where one.term = t.term and ${within(before)}
           order by one.seq desc limit ${most}) found
        group by found.id, found.place order by found.place desc limit ${most}`;
    },
  };
}

const lastSeq = '9223372036854775807';

/** The namespaces of these memories. */
export async function namespacesAmong(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<{ id: string }>(
    'select distinct namespace_id::text as id from memories where id = any($1::uuid[])',
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** How many of these memories are in these namespaces of the workspace now. */
export async function existingAmong(
  tx: Transaction,
  workspaceId: string,
  namespaceIds: readonly string[],
  ids: readonly string[],
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from memories
      where workspace_id = $1 and namespace_id = any($2::uuid[]) and id = any($3::uuid[])`,
    [workspaceId, namespaceIds, ids],
  );
  return row?.count ?? 0;
}
