/**
 * A full-text query as a tree. The words of a phrase must be adjacent. Posting lists do not show that, so a phrase is read as
 * "all of these words".
 */
export type WordQuery =
  | { readonly kind: 'word'; readonly lexeme: string }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly WordQuery[] }
  | { readonly kind: 'not' };

/** The operators in the order of precedence, lowest first. */
const operators = [
  { token: /^\|/, kind: 'any' },
  { token: /^&/, kind: 'all' },
  { token: /^<(?:-|\d+)>/, kind: 'all' },
] as const;

/** Reads the text form of a `tsquery` that PostgreSQL writes. @returns null for a query without words, which matches nothing */
export function readWordQuery(text: string): WordQuery | null {
  if (text.trim() === '') return null;
  const at = { rest: text };
  return readOperator(at, 0);
}

interface Reading {
  rest: string;
}

/** Consumes the token if the text continues with it. @returns the token, or null */
function take(at: Reading, token: RegExp): string | null {
  at.rest = at.rest.trimStart();
  const [found] = token.exec(at.rest) ?? [];
  if (found === undefined) return null;
  at.rest = at.rest.slice(found.length);
  return found;
}

function readOperator(at: Reading, level: number): WordQuery {
  const operator = operators[level];
  if (!operator) return readOperand(at);
  const parts = [readOperator(at, level + 1)];
  while (take(at, operator.token) !== null) parts.push(readOperator(at, level + 1));
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind: operator.kind, parts };
}

function readOperand(at: Reading): WordQuery {
  if (take(at, /^!/) !== null) {
    readOperand(at);
    return { kind: 'not' };
  }
  if (take(at, /^\(/) !== null) {
    const inner = readOperator(at, 0);
    take(at, /^\)/);
    return inner;
  }
  const quoted = take(at, /^'(?:[^'\\]|''|\\.)*'/s);
  if (quoted === null) throw new Error('the text of a full-text query is not in the form that PostgreSQL writes');
  return { kind: 'word', lexeme: quoted.slice(1, -1).replace(/''|\\(.)/gs, (pair, escaped) => escaped ?? pair[0]) };
}

/** All words of the query by which documents are found. */
export function wordsOf(query: WordQuery): string[] {
  if (query.kind === 'word') return [query.lexeme];
  return query.kind === 'not' ? [] : query.parts.flatMap(wordsOf);
}

/**
 * The query without its frequent words: where all words must match, only the `count` rarest of them stay. Every document that
 * matches the whole query matches this one.
 */
export function withFewest(query: WordQuery, count: number, frequencyOf: (lexeme: string) => number): WordQuery {
  if (query.kind === 'word' || query.kind === 'not') return query;
  const parts = query.parts.map((part) => withFewest(part, count, frequencyOf));
  if (query.kind === 'any') return { kind: 'any', parts };
  const words = parts.flatMap((part) => (part.kind === 'word' ? [part] : []));
  const rarest = words.toSorted((a, b) => frequencyOf(a.lexeme) - frequencyOf(b.lexeme)).slice(0, count);
  const used = new Set<WordQuery>(rarest);
  return { kind: 'all', parts: parts.filter((part) => part.kind !== 'word' || used.has(part)) };
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
      result[i] = query.kind === 'all' ? a & b : a | b;
    }
  }
  return result;
}
