import type { Weight } from '../../src/domain/tokens/list-query.js';

/** A full-text query as a tree. Posting lists do not show places, so that a phrase is read as "all of these words". */
export type WordQuery =
  | { readonly kind: 'word'; readonly lexeme: string; readonly weight?: Weight }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly WordQuery[] }
  /** Each part has its place from the beginning of the phrase, in ascending order. */
  | { readonly kind: 'phrase'; readonly parts: readonly WordQuery[]; readonly places: readonly number[] }
  | { readonly kind: 'not'; readonly part: WordQuery };

/** The text form of a `tsquery`. */
export function tsqueryText(query: WordQuery): string {
  switch (query.kind) {
    case 'word':
      return `'${query.lexeme.replace(/['\\]/g, '$&$&')}'${query.weight === undefined ? '' : `:${query.weight}`}`;
    case 'not':
      return `!${tsqueryText(query.part)}`;
    case 'phrase':
      return `(${query.parts.map((part, i) => `${distanceTo(query.places, i)}${tsqueryText(part)}`).join('')})`;
    default:
      return `(${query.parts.map(tsqueryText).join(query.kind === 'all' ? ' & ' : ' | ')})`;
  }
}

const distanceTo = (places: readonly number[], i: number): string =>
  i === 0 ? '' : ` <${(places[i] ?? 0) - (places[i - 1] ?? 0)}> `;

/** All words of the query by which documents are found. */
export function wordsOf(query: WordQuery): string[] {
  if (query.kind === 'word') return [query.lexeme];
  return query.kind === 'not' ? [] : query.parts.flatMap(wordsOf);
}

/**
 * The query without its frequent parts: where all of them must match, only the `count` rarest of them stay. Every document that
 * matches the whole query matches this one.
 */
export function withFewest(query: WordQuery, count: number, frequencyOf: (lexeme: string) => number): WordQuery {
  if (query.kind === 'word' || query.kind === 'not') return query;
  const parts = query.parts.map((part) => withFewest(part, count, frequencyOf));
  if (query.kind === 'any') return { kind: 'any', parts };
  const most = parts.map((part) => ({ part, most: mostFound(part, frequencyOf) }));
  const used = new Set(most.toSorted((a, b) => a.most - b.most).slice(0, count));
  return { kind: 'all', parts: most.filter((one) => used.has(one)).map(({ part }) => part) };
}

/** No more documents than these match the query. */
function mostFound(query: WordQuery, frequencyOf: (lexeme: string) => number): number {
  if (query.kind === 'word') return frequencyOf(query.lexeme);
  if (query.kind === 'not') return Number.POSITIVE_INFINITY;
  const each = query.parts.map((part) => mostFound(part, frequencyOf));
  return query.kind === 'any' ? each.reduce((sum, one) => sum + one, 0) : Math.min(...each);
}

/**
 * The documents of a block that may match the query, as one byte for each document; null when any document may match.
 * @param documentsWith the documents of the block that hold a word
 */
export function possible(query: WordQuery, documentsWith: (lexeme: string) => Uint8Array): Uint8Array | null {
  if (query.kind === 'word') return documentsWith(query.lexeme);
  if (query.kind === 'not') return null;
  const parts = query.parts.map((part) => possible(part, documentsWith));
  const known = parts.filter((part) => part !== null);
  const [first, ...rest] = known;
  if (!first || (query.kind === 'any' && known.length < parts.length)) return null;
  const result = Uint8Array.from(first);
  for (const part of rest) {
    for (let i = 0; i < result.length; i++) {
      const [a, b] = [result[i] ?? 0, part[i] ?? 0];
      result[i] = query.kind === 'any' ? a | b : a & b;
    }
  }
  return result;
}
