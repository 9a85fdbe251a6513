import type { Condition } from '../../contracts/filters.js';
import type { Value } from '../../src/database/database.js';
import { exactCanonical } from '../../src/domain/exact-json.js';
import type { Filter } from '../../src/domain/filters.js';
import { namespaceRows } from '../namespace/rows.js';
import { hashOfSource } from './projection.js';
import { moreKeys, termOfValue } from './terms.js';

/** Takes a value and returns its placeholder. */
type Bind = (value: Value) => string;

/** SQL of the numbers (seq) of all memories that may pass, from an index. `namespaceIds` is SQL of the searched namespaces. */
type Among = (bind: Bind, namespaceIds: string) => string;

interface FilterSql {
  (bind: Bind): string;
  readonly key: string;
  readonly among: readonly Among[];
  readonly range: Range;
}

/** From `first` up to, but without, `end`; no upper limit if `end` is null. */
interface Range {
  readonly first: number;
  readonly end: number | null;
}

/**
 * A search filter as a condition on `memories m`. Every value is a parameter, metadata keys included.
 * Test memories are left out unless the top level of the filter has include_playground.
 * Invalidated memories are left out unless the top level has include_invalidated.
 * @param range a range that contains the numbers (seq) of all memories that pass
 * @param reinstated the last reinstatement in the workspace: a memory that failed before it may pass now, so it is part of the key
 */
export function filterSql(
  filter: Filter,
  agentId: string | undefined,
  range: Range = { first: 0, end: null },
  reinstated = 0,
): FilterSql {
  const condition = (bind: Bind) => {
    const clauses = [filterClause(filter, bind)];
    if (filter.leaves.include_playground !== true) clauses.push('not m.playground');
    if (filter.leaves.include_invalidated !== true) clauses.push('not m.invalidated');
    if (agentId !== undefined) clauses.push(`m.agent_id = ${bind(agentId)}`);
    return clauses.join(' and ');
  };
  const agent = agentId === undefined ? [] : [amongColumn('agent_id', [agentId])];
  return Object.assign(condition, {
    key: exactCanonical([filter, agentId ?? null, reinstated]),
    among: [...amongOf(filter), ...agent].slice(0, mostLists),
    range,
  });
}

/** The number of lists at most. Each list is one more query, and one list would be enough. */
const mostLists = 8;

/** The lists in the order of how few memories they probably leave: values of metadata, then the source, then the run, approver and user. */
function amongOf({ leaves, all, any }: Filter): Among[] {
  const { source, run_id, user_id, approved_by } = leaves;
  const hashes = (given: string) => `array(select ${hashOfSource('s')} from unnest(${given}::text[]) s)`;
  return [
    ...Object.entries(leaves.metadata ?? {}).flatMap(([key, { eq, in: oneOf }]) => {
      const values = eq !== undefined ? [eq] : oneOf;
      return values ? [amongValues(key, values)] : [];
    }),
    ...(source ? [amongColumn(hashOfSource('source'), source, hashes)] : []),
    ...(run_id ? [amongColumn('run_id', run_id)] : []),
    ...(approved_by ? [amongColumn('approved_by', approved_by)] : []),
    ...(user_id ? [amongColumn('user_id', user_id)] : []),
    ...all.flatMap(amongOf),
    ...(any ? amongAny(any) : []),
  ];
}

/** For filters of which one must hold, there is a list only if every one of them has a list. */
function amongAny(any: readonly Filter[]): Among[] {
  const lists = any.flatMap((part) => amongOf(part).slice(0, 1));
  if (lists.length === 0 || lists.length < any.length) return [];
  return [(bind, namespaceIds) => lists.map((list) => `(${list(bind, namespaceIds)})`).join(' union all ')];
}

function amongColumn(
  column: string,
  names: readonly string[],
  values: (given: string) => string = (given) => `${given}::text[]`,
): Among {
  return (bind, namespaceIds) =>
    `select seq from memories where namespace_id = any(${namespaceIds}) and ${column} = any(${values(bind(names))})`;
}

function amongValues(key: string, values: readonly unknown[]): Among {
  return (bind, namespaceIds) => {
    const workspace = `(select n.workspace_id from ${namespaceRows} n where n.id = (${namespaceIds})[1])`;
    const given = `unnest(${bind(values.map(exactCanonical))}::text[]) v(json)`;
    const hashes = `select ${termOfValue(workspace, `${bind(key)}::text`, 'v.json::jsonb')} from ${given}`;
    return `select seq from memory_terms where term = any(array(${hashes} union all select ${moreKeys(workspace)}))`;
  };
}

function filterClause(filter: Filter, bind: Bind): string {
  const { leaves, all, any, not } = filter;
  const clauses: string[] = [];
  for (const column of ['source', 'user_id', 'app_id', 'run_id', 'approved_by'] as const) {
    const names = leaves[column];
    // "coalesce" is needed because "not" of a condition on a null column must be true and not unknown.
    if (names) clauses.push(`coalesce(m.${column} = any(${bind(names)}::text[]), false)`);
  }
  if (leaves.created_after) clauses.push(`m.created_at > ${bind(leaves.created_after)}::timestamptz`);
  if (leaves.created_before) clauses.push(`m.created_at < ${bind(leaves.created_before)}::timestamptz`);
  for (const [key, test] of Object.entries(leaves.metadata ?? {})) clauses.push(metadataClause(key, test, bind));
  for (const part of all) clauses.push(filterClause(part, bind));
  if (any) clauses.push(any.length === 0 ? 'false' : `(${any.map((part) => filterClause(part, bind)).join(' or ')})`);
  for (const part of not) clauses.push(`not ${filterClause(part, bind)}`);
  return clauses.length === 0 ? 'true' : `(${clauses.join(' and ')})`;
}

function metadataClause(key: string, test: Condition, bind: Bind): string {
  const field = `(m.metadata -> ${bind(key)}::text)`;
  const json = (value: unknown) => `${bind(exactCanonical(value))}::jsonb`;
  const clauses: string[] = [];
  if (test.eq !== undefined) clauses.push(`${field} = ${json(test.eq)}`);
  if (test.ne !== undefined) clauses.push(`${field} is distinct from ${json(test.ne)}`);
  if (test.in) clauses.push(`${field} in (${test.in.map(json).join(', ')})`);
  for (const [name, operator] of [
    ['gt', '>'],
    ['gte', '>='],
    ['lt', '<'],
    ['lte', '<='],
  ] as const) {
    const bound = test[name];
    // jsonb has an order across types. So the types are compared first: a number only with numbers, and a text only with texts.
    const type = typeof bound === 'string' ? 'string' : 'number';
    if (bound !== undefined)
      clauses.push(`(jsonb_typeof(${field}) = '${type}' and ${field} ${operator} ${json(bound)})`);
  }
  if (test.exists !== undefined) clauses.push(`${field} is ${test.exists ? 'not null' : 'null'}`);
  if (test.contains !== undefined) clauses.push(containsClause(field, test.contains, bind));
  return `coalesce((${clauses.join(' and ')}), false)`;
}

/** A list that has the value as an element, or a text that has it as a part. */
function containsClause(field: string, value: unknown, bind: Bind): string {
  const element = `(jsonb_typeof(${field}) = 'array' and ${field} @> ${bind(exactCanonical([value]))}::jsonb)`;
  if (typeof value !== 'string') return element;
  return `(${element} or (jsonb_typeof(${field}) = 'string' and position(${bind(value)} in ${field} #>> '{}') > 0))`;
}
