import { groupedBy } from '../../src/base/groups.js';
import type { Transaction } from '../../src/database/database.js';
import { frameShare } from '../../src/domain/rank/frame-words.js';
import { keyOf } from '../../src/domain/tokens/indexed.js';
import type { TokenClass } from '../../src/domain/tokens/query.js';
import type { SearchCache, Term } from './cache.js';
import { frequencyOfAny } from './frequency.js';
import type { Filter } from './passing.js';
import { similarOf } from './similar.js';
import { idfOf, type TokenIn, tokensIn } from './terms.js';
import { visibleTerms } from './visible.js';

/**
 * A word of the query in one namespace: those of its tokens that memories have there. Of these the best one counts in a memory, with
 * its own share of the word.
 */
export interface QueryWord {
  /** As the query has it. */
  readonly word: string;
  readonly namespaceId: string;
  /** From 0 to 1: how much the word counts beside the other words. */
  readonly share: number;
  /** By the memories that have any of its tokens. */
  readonly idf: number;
  /** The lexeme of the word itself; null for a stop word. */
  readonly lexeme: string | null;
  readonly terms: readonly Term[];
}

/** The words of a query that count in a namespace, the rarest ones. More frequent words hardly change the ranking. */
const mostWords = 32;
/** The words that are compared with others. */
const mostCompared = 4;

/** The tokens of a query in each namespace, by namespace. It needs no filter, so it can be read while that is made. */
export async function queryTokens(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
  classes: readonly TokenClass[],
): Promise<Map<string, TokenIn[]>> {
  const keys = classes.flatMap(({ tokens }) => tokens.map(keyOf));
  const distinct = new Map(keys.map((key) => [`${key.kind} ${key.text}`, key]));
  return groupedBy(await tokensIn(tx, cache, namespaceIds, [...distinct.values()]), (one) => one.namespaceId);
}

/**
 * The words of a query that memories of each namespace have, with words that are spelt alike. "Have" is about memories that pass
 * the filter wherever it decides about a share, so that a memory outside of the answer changes nothing.
 * @param tokens of these classes
 */
export async function queryWords(
  tx: Transaction,
  cache: SearchCache,
  classes: readonly TokenClass[],
  tokens: ReadonlyMap<string, readonly TokenIn[]>,
  filter: Filter,
): Promise<QueryWord[]> {
  const words: QueryWord[] = [];
  for (const [namespaceId, own] of tokens) {
    words.push(...(await withSimilar(tx, cache, filter, wordsIn(classes, namespaceId, own))));
  }
  return words;
}

/** The words of a query that any memories of each namespace have, whether they pass a filter or not. */
export const everyWord = (
  classes: readonly TokenClass[],
  tokens: ReadonlyMap<string, readonly TokenIn[]>,
): QueryWord[] =>
  Array.from(tokens)
    .flatMap(([namespaceId, own]) => wordsIn(classes, namespaceId, own))
    .filter(({ terms }) => terms.length > 0);

function wordsIn(classes: readonly TokenClass[], namespaceId: string, own: readonly TokenIn[]): Candidate[] {
  const byKey = new Map(own.map((token) => [`${token.kind} ${token.text}`, token]));
  return classes.map((one) => {
    const tokens = one.tokens.map(keyOf).map(({ kind, text }) => byKey.get(`${kind} ${text}`));
    return withIdf(wordIn(namespaceId, one, tokens));
  });
}

interface Candidate extends QueryWord {
  readonly plain: boolean;
  /** Whether it is one word of letters, for which similar ones are looked for. */
  readonly isComparable: boolean;
}

function wordIn(
  namespaceId: string,
  { word, share, tokens, plain }: TokenClass,
  found: (TokenIn | undefined)[],
): Candidate {
  const terms = new Map<string, Term>();
  for (const [i, { share }] of tokens.entries()) {
    const term = found[i]?.term;
    // Two tokens may have one lexeme, which then has the greater share.
    if (term && (terms.get(term.term)?.share ?? 0) < share) terms.set(term.term, { ...term, word, share });
  }
  const [first] = tokens;
  const lexeme = found[0]?.lexeme ?? null;
  // Words that frame a question are known of English only.
  const frame = found[0]?.textConfig === 'english' && lexeme !== null ? frameShare(lexeme) : 1;
  const isComparable = first?.mark === 'none' && first.stemmed && lexeme !== null;
  return { word, namespaceId, share: share * frame, idf: 0, lexeme, terms: [...terms.values()], plain, isComparable };
}

function withIdf(word: Candidate): Candidate {
  const [term] = word.terms;
  if (!term) return word;
  return { ...word, idf: idfOf(Math.min(frequencyOfAny(word.terms), term.documents), term.documents) };
}

/** The words of letters that are compared with others. Not by rarity: a new memory would change the choice, and so take hits away. */
const comparedOf = (words: readonly Candidate[]): Candidate[] =>
  words
    .filter(({ isComparable }) => isComparable)
    .sort((a, b) => Number(b.plain) - Number(a.plain) || b.word.length - a.word.length)
    .slice(0, mostCompared);

/**
 * The rarest words that memories have that pass, and the compared words that none of them has, without
 * terms. In the order of the query.
 */
async function countingOf(
  tx: Transaction,
  cache: SearchCache,
  filter: Filter,
  words: readonly Candidate[],
  compared: readonly Candidate[],
): Promise<readonly (readonly [word: Candidate, counting: Candidate])[]> {
  const known = words
    .filter(({ terms }) => terms.length > 0)
    .sort((a, b) => b.idf - a.idf || (a.word < b.word ? -1 : 1));
  const visible = new Set<Candidate>();
  const kept = new Set<Candidate>();
  for (let at = 0; at < known.length && kept.size < mostWords; at += mostWords) {
    const page = known.slice(at, at + mostWords);
    // All compared words at first, because it decides about their similar words whether memories have them.
    const looked = new Set([...(at === 0 ? compared : []), ...page.filter((word) => !compared.includes(word))]);
    for (const word of await visibleWords(tx, cache, [...looked], filter)) visible.add(word);
    for (const word of page) if (kept.size < mostWords && visible.has(word)) kept.add(word);
  }
  return words.flatMap((word) => {
    if (kept.has(word)) return [[word, word] as const];
    return compared.includes(word) && !visible.has(word) ? [[word, { ...word, terms: [] }] as const] : [];
  });
}

/** Those of these words that a memory has that passes the filter. Most are found by their most frequent token. */
async function visibleWords(
  tx: Transaction,
  cache: SearchCache,
  words: readonly Candidate[],
  filter: Filter,
): Promise<Set<Candidate>> {
  const ordered = words.map((word) => ({ word, terms: word.terms.toSorted((a, b) => b.frequency - a.frequency) }));
  const first = await visibleTerms(
    tx,
    cache,
    ordered.flatMap(({ terms }) => terms.slice(0, 1)),
    filter,
  );
  const isFirst = ({ terms: [term] }: { terms: readonly Term[] }) => term !== undefined && first.has(term);
  const others = ordered.filter((one) => !isFirst(one)).flatMap(({ terms }) => terms.slice(1));
  const second = await visibleTerms(tx, cache, others, filter);
  return new Set(
    ordered.filter((one) => isFirst(one) || one.terms.some((term) => second.has(term))).map(({ word }) => word),
  );
}

async function withSimilar(
  tx: Transaction,
  cache: SearchCache,
  filter: Filter,
  words: readonly Candidate[],
): Promise<QueryWord[]> {
  const compared = comparedOf(words);
  const [counting, similar] = await Promise.all([
    countingOf(tx, cache, filter, words, compared),
    similarOf(tx, cache, filter, compared),
  ]);
  const result: QueryWord[] = [];
  for (const [word, own] of counting) {
    const others = similar.get(word) ?? [];
    const one = others.length === 0 ? own : joined(own, others);
    if (one.terms.length > 0) result.push(one);
  }
  return result;
}

/** With half of their shares beside the word itself; where no memory has it that may be returned, they stand for it. */
function joined(word: Candidate, others: readonly Term[]): QueryWord {
  if (word.terms.length > 0) {
    return { ...word, terms: [...word.terms, ...others.map((term) => ({ ...term, share: term.share / 2 }))] };
  }
  const best = Math.max(...others.map(({ share }) => share));
  const documents = others[0]?.documents ?? 0;
  return {
    ...word,
    share: word.share * best,
    idf: idfOf(Math.min(frequencyOfAny(others), documents), documents),
    terms: others.map((term) => ({ ...term, share: term.share / best })),
  };
}

/** All terms of the words, each once, by which candidates are found. Their shares and idf are those of their words. */
export function termsOfWords(words: readonly QueryWord[]): Term[] {
  const terms = new Map<string, Term>();
  for (const { share, idf, terms: own } of words) {
    for (const term of own) {
      const one = { ...term, share: share * term.share, idf };
      const known = terms.get(term.term);
      if (!known || known.share * known.idf < one.share * idf) terms.set(term.term, one);
    }
  }
  return [...terms.values()];
}
