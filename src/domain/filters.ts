import type { z } from 'zod';
import { Refusal } from '../../contracts/errors.js';
import { ExactNumber } from '../../contracts/exact-number.js';
import { hitFilters, filterLeaves as leaves } from '../../contracts/filters.js';
import { inWords } from '../../contracts/in-words.js';
import { limits } from '../../contracts/limits.js';
import { isObject } from '../base/json-text.js';
import { exactObject, TooManyDigits } from './exact-json.js';

/** A memory passes when all leaves match, every filter of `all`, at least one of `any`, and none of `not`. */
export interface Filter {
  readonly leaves: z.output<typeof leaves>;
  readonly all: readonly Filter[];
  readonly any: readonly Filter[] | null;
  readonly not: readonly Filter[];
}

export const noFilter: Filter = { leaves: {}, all: [], any: null, not: [] };

/** The conditions of a search on its hits, after they were ranked and before the best `k` are taken. */
export interface HitFilter {
  readonly minScore: number;
  /** Whether those are hits too that were found only by the messages around them. */
  readonly neighbours: boolean;
}

/**
 * The `filters` of a body with every number as it was sent. The body has been read before.
 * @param texts the texts of the members of the body
 * @throws Refusal invalid_filters
 */
export function sentFilters(texts: ReadonlyMap<string, string>): Readonly<Record<string, unknown>> | undefined {
  const text = texts.get('filters');
  try {
    return text === undefined ? undefined : exactObject(text);
  } catch (error) {
    if (error instanceof TooManyDigits) refuse(`a number has more than ${limits.filterDigits} digits`);
    throw error;
  }
}

/**
 * Reads the `filters` object of a search, which also says what is asked of hits.
 * @throws Refusal invalid_filters
 */
export function readSearchFilter(given: Readonly<Record<string, unknown>> | undefined): {
  readonly filter: Filter;
  readonly hits: HitFilter;
} {
  const { min_score: score, neighbours, ...filter } = given ?? {};
  // Scores are floats.
  const min_score = score instanceof ExactNumber ? Number(score.text) : score;
  const read = hitFilters.safeParse({ min_score, neighbours }, { error: inWords });
  if (!read.success) return refuse(firstOf(read.error));
  return {
    filter: readFilter(filter),
    hits: { minScore: read.data.min_score ?? 0, neighbours: read.data.neighbours ?? true },
  };
}

/**
 * Reads conditions on memories. It refuses everything unknown, because an ignored filter would show memories
 * that the caller wanted to exclude.
 * @throws Refusal invalid_filters
 */
export function readFilter(given: Readonly<Record<string, unknown>> | undefined): Filter {
  if (given === undefined) return noFilter;
  const count = { leaves: 0 };
  const filter = readLevel(given, 1, count);
  if (count.leaves > limits.filterLeaves) refuse(`more than ${limits.filterLeaves} conditions`);
  return filter;
}

function readLevel(given: unknown, depth: number, count: { leaves: number }): Filter {
  if (depth > limits.filterDepth) refuse(`nested deeper than ${limits.filterDepth}`);
  if (!isObject(given) || given instanceof ExactNumber) return refuse('must be an object');
  const { all = [], any, not = [], ...rest } = given;
  const ofHits = Object.keys(hitFilters.shape).find((name) => Object.hasOwn(rest, name));
  if (ofHits !== undefined) {
    refuse(`${ofHits}: stands only at the top level of the filters of a search, because it is about hits`);
  }
  const read = leaves.safeParse(rest, { error: inWords });
  if (!read.success) return refuse(firstOf(read.error));
  count.leaves += Object.keys(read.data).length - ('metadata' in read.data ? 1 : 0);
  for (const test of Object.values(read.data.metadata ?? {})) count.leaves += Object.keys(test).length;
  const list = (name: string, value: unknown): Filter[] => {
    if (!Array.isArray(value) || value.length > limits.filterLeaves) return refuse(`${name} must be a list of filters`);
    // At least one of none must match: such a filter would match nothing.
    if (name === 'any' && value.length === 0) return refuse('any must have at least one filter');
    return value.map((item) => readLevel(item, depth + 1, count));
  };
  return {
    leaves: read.data,
    all: list('all', all),
    any: any === undefined ? null : list('any', any),
    not: list('not', not),
  };
}

function firstOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.') || 'keys'}: ${issue?.message ?? 'wrong'}`;
}

function refuse(what: string): never {
  throw new Refusal('invalid_filters', `filters: ${what}.`);
}
