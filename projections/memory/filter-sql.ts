import type { Condition } from '../../contracts/filters.js';
import type { Value } from '../../src/adapters/database/database.js';
import type { Filter } from '../../src/domain/filters.js';

/** Takes a value and gives the placeholder that stands for it. */
type Bind = (value: Value) => string;

/**
 * A search filter as a condition on `memories m`. Every value is a parameter, metadata keys included.
 * Test memories stay out unless a leaf at the top says include_playground.
 */
export function filterSql(filter: Filter, agentId: string | undefined): (bind: Bind) => string {
  return (bind) => {
    const clauses = [filterClause(filter, bind)];
    if (filter.leaves.include_playground !== true) clauses.push('not m.playground');
    if (agentId !== undefined) clauses.push(`m.agent_id = ${bind(agentId)}`);
    return clauses.join(' and ');
  };
}

function filterClause(filter: Filter, bind: Bind): string {
  const { leaves, all, any, not } = filter;
  const clauses: string[] = [];
  for (const column of ['source', 'user_id', 'app_id', 'run_id'] as const) {
    const names = leaves[column];
    // coalesce: "not" over a null column must be true, not unknown.
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
  const json = (value: unknown) => `${bind(JSON.stringify(value))}::jsonb`;
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
    // jsonb orders across types, so a number is only ever compared with numbers and a text with texts.
    if (bound !== undefined)
      clauses.push(`(jsonb_typeof(${field}) = '${typeof bound}' and ${field} ${operator} ${json(bound)})`);
  }
  if (test.exists !== undefined) clauses.push(`${field} is ${test.exists ? 'not null' : 'null'}`);
  if (test.contains !== undefined) clauses.push(containsClause(field, test.contains, bind));
  return `coalesce((${clauses.join(' and ')}), false)`;
}

/** A list that has the value as an element, or a text that has it as a part. */
function containsClause(field: string, value: unknown, bind: Bind): string {
  const element = `(jsonb_typeof(${field}) = 'array' and ${field} @> ${bind(JSON.stringify([value]))}::jsonb)`;
  if (typeof value !== 'string') return element;
  return `(${element} or (jsonb_typeof(${field}) = 'string' and position(${bind(value)} in ${field} #>> '{}') > 0))`;
}
