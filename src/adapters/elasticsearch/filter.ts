import type { estypes } from '@elastic/elasticsearch';
import type { SearchFilter } from '../../../projections/search/queries.js';
import type { Filter } from '../../domain/filters.js';

type Clause = estypes.QueryDslQueryContainer;

/** The meaning of a filter in Elasticsearch. */
interface Compiled {
  /** A memory that passes the filter passes all of these. */
  readonly clauses: readonly Clause[];
  /** Whether a memory that passes all of these also passes the filter. */
  readonly isExact: boolean;
}

/** A longer source is not in the index. */
const longestSource = 8191;

/**
 * The part of a filter that Elasticsearch can apply: agent, source and time. Metadata is never mapped, and further fields of
 * provenance are not mapped either. The service compares every candidate with the whole filter, so here a part may be left out,
 * but no memory that passes the filter.
 */
export const clausesOf = ({ tree, agentId }: SearchFilter): readonly Clause[] => [
  ...compile(tree).clauses,
  ...(agentId === undefined ? [] : [{ term: { agent: agentId } }]),
];

function compile({ leaves, all, any, not }: Filter): Compiled {
  const { source, created_after: after, created_before: before, include_playground, ...unknown } = leaves;
  const mapped = source?.every((one) => one.length <= longestSource) ? source : undefined;
  const time = timeClauses(after, before);
  const parts = all.map(compile);
  const excluded = not.map(compile).filter((part) => part.isExact && part.clauses.length > 0);
  const either = any && compileAny(any);
  return {
    clauses: [
      ...(mapped ? [{ terms: { source: [...mapped] } }] : []),
      ...time,
      ...parts.flatMap(({ clauses }) => clauses),
      ...(either?.clauses ?? []),
      ...excluded.map(({ clauses }) => ({ bool: { must_not: [{ bool: { filter: [...clauses] } }] } })),
    ],
    isExact:
      Object.values(unknown).every((one) => one === undefined) &&
      mapped === source &&
      time.length === 0 &&
      include_playground === undefined &&
      parts.every((part) => part.isExact) &&
      (either?.isExact ?? true) &&
      excluded.length === not.length,
  };
}

/** One of several filters must pass. If one of them has no clause, any memory may pass. */
function compileAny(any: readonly Filter[]): Compiled {
  const parts = any.map(compile);
  if (parts.some(({ clauses }) => clauses.length === 0)) {
    return { clauses: [], isExact: parts.some(({ clauses, isExact }) => clauses.length === 0 && isExact) };
  }
  const should = parts.map(({ clauses }) => ({ bool: { filter: [...clauses] } }));
  // Without a part no memory passes.
  const clause = should.length === 0 ? { match_none: {} } : { bool: { should, minimum_should_match: 1 } };
  return { clauses: [clause], isExact: parts.every(({ isExact }) => isExact) };
}

/** Bounds that are wider by a millisecond, because the index rounds times to milliseconds. */
function timeClauses(after: string | undefined, before: string | undefined): Clause[] {
  const from = after === undefined ? [] : [{ range: { time: { gte: Date.parse(after) - 1 } } }];
  const to = before === undefined ? [] : [{ range: { time: { lte: Date.parse(before) + 1 } } }];
  return [...from, ...to];
}
