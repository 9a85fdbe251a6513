import { slices } from '../../src/base/steps.js';
import type { Transaction } from '../../src/database/database.js';
import { frameShare } from '../../src/domain/rank/frame-words.js';
import { bareWord, similarTo } from '../../src/domain/similar-words.js';
import { keyOf } from '../../src/domain/tokens/indexed.js';
import type { TokenClass } from '../../src/domain/tokens/query.js';
import type { SearchCache, Term } from './cache.js';
import { frequencyOfAny } from './frequency.js';
import { groupedBy } from './grouped.js';
import type { Filter } from './passing.js';
import { idfOf, type TokenIn, termsOfLexemes, tokensIn } from './terms.js';
import { visibleTerms } from './visible.js';
import { type Vocabulary, vocabulariesOf } from './vocabulary.js';

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
/** The words that are compared with others, and the most similar ones that are used of each. */
const [mostCompared, mostSimilar] = [4, 4];
/** How many similar words are looked at to find those that memories have that may be returned. */
const mostLooked = 12;

/**
 * The words of a query that memories of each namespace have, with words that are spelt alike. "Have" is about memories that pass
 * the filter wherever it decides about a share, so that a memory outside of the answer changes nothing.
 */
export async function queryWords(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
  classes: readonly TokenClass[],
  filter: Filter,
): Promise<QueryWord[]> {
  const keyed = classes.map((one) => ({ ...one, keys: one.tokens.map(keyOf) }));
  const distinct = new Map(keyed.flatMap(({ keys }) => keys.map((key) => [`${key.kind} ${key.text}`, key])));
  const tokens = groupedBy(await tokensIn(tx, cache, namespaceIds, [...distinct.values()]), (one) => one.namespaceId);
  const words: QueryWord[] = [];
  for (const [namespaceId, own] of tokens) {
    const byKey = new Map(own.map((token) => [`${token.kind} ${token.text}`, token]));
    const found = keyed.map((one) =>
      wordIn(
        namespaceId,
        one,
        one.keys.map(({ kind, text }) => byKey.get(`${kind} ${text}`)),
      ),
    );
    words.push(...(await withSimilar(tx, cache, filter, rarest(await withIdf(tx, cache, found)))));
  }
  return words;
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

async function withIdf(tx: Transaction, cache: SearchCache, words: readonly Candidate[]): Promise<Candidate[]> {
  const frequencyOf = await frequencyOfAny(
    tx,
    cache,
    words.map(({ terms }) => terms),
  );
  return words.map((word, i) => {
    const [term] = word.terms;
    return term ? { ...word, idf: idfOf(Math.min(frequencyOf[i] ?? 0, term.documents), term.documents) } : word;
  });
}

/** Those that may count: the rarest that memories have, and those that may have similar words. In the order of the query. */
function rarest(words: readonly Candidate[]): Candidate[] {
  const known = words
    .filter(({ terms }) => terms.length > 0)
    .sort((a, b) => b.idf - a.idf || (a.word < b.word ? -1 : 1));
  const kept = new Set(known.slice(0, mostWords));
  return words.filter((word) => kept.has(word) || (word.terms.length === 0 && word.isComparable));
}

async function withSimilar(
  tx: Transaction,
  cache: SearchCache,
  filter: Filter,
  words: readonly Candidate[],
): Promise<QueryWord[]> {
  // Not by rarity: a new memory would change the choice, and so take hits away.
  const compared = words
    .filter(({ isComparable }) => isComparable)
    .sort((a, b) => Number(b.plain) - Number(a.plain) || b.word.length - a.word.length)
    .slice(0, mostCompared);
  const similar = await similarOf(tx, cache, compared);
  const looked = compared.flatMap((word) => {
    const others = similar.get(word) ?? [];
    return others.length === 0 ? [] : [...word.terms, ...others];
  });
  const visible = await visibleTerms(tx, cache, looked, filter);
  const result: QueryWord[] = [];
  for (const word of words) {
    const others = (similar.get(word) ?? []).filter((term) => visible.has(term)).slice(0, mostSimilar);
    const one = others.length === 0 ? word : await joined(tx, cache, word, others, visible);
    if (one.terms.length > 0) result.push(one);
  }
  return result;
}

/** With half of their shares beside the word itself; where no memory has it that may be returned, they stand for it. */
async function joined(
  tx: Transaction,
  cache: SearchCache,
  word: Candidate,
  others: readonly Term[],
  visible: ReadonlySet<Term>,
): Promise<QueryWord> {
  const own = new Set(word.terms.map(({ term }) => term));
  const added = others.filter(({ term }) => !own.has(term));
  if (word.terms.some((term) => visible.has(term))) {
    return { ...word, terms: [...word.terms, ...added.map((term) => ({ ...term, share: term.share / 2 }))] };
  }
  const best = Math.max(...others.map(({ share }) => share));
  const [frequency = 0] = await frequencyOfAny(tx, cache, [others]);
  const documents = others[0]?.documents ?? 0;
  return {
    ...word,
    share: word.share * best,
    idf: idfOf(Math.min(frequency, documents), documents),
    terms: others.map((term) => ({ ...term, share: term.share / best })),
  };
}

/** The terms that are spelt most like each word, the most similar first, with their similarity as their share. */
async function similarOf(
  tx: Transaction,
  cache: SearchCache,
  words: readonly Candidate[],
): Promise<Map<Candidate, readonly Term[]>> {
  if (words.length === 0) return new Map();
  const namespaceIds = [...new Set(words.map(({ namespaceId }) => namespaceId))];
  const vocabularies = await vocabulariesOf(tx, cache, namespaceIds);
  const next = slices();
  const best = new Map<Candidate, readonly Alike[]>();
  for (const word of words) {
    best.set(word, mostSimilarTo(word, vocabularies.get(word.namespaceId) ?? new Map()));
    await next();
  }
  const asked = [...best].flatMap(([{ namespaceId }, alike]) => alike.map(({ lexeme }) => ({ namespaceId, lexeme })));
  const terms = new Map(
    (await termsOfLexemes(tx, cache, asked)).map((term) => [`${term.namespace_id} ${term.lexeme}`, term]),
  );
  return new Map(
    [...best].map(([word, alike]) => [
      word,
      alike.flatMap(({ lexeme, share }) => {
        const term = terms.get(`${word.namespaceId} ${lexeme}`);
        return term ? [{ ...term, word: word.word, share, isSimilar: true }] : [];
      }),
    ]),
  );
}

interface Alike {
  readonly lexeme: string;
  readonly share: number;
}

function mostSimilarTo({ lexeme: own, terms }: Candidate, words: Vocabulary): readonly Alike[] {
  const similarity = similarTo(bareWord(own ?? ''));
  const known = new Set(terms.map(({ lexeme }) => lexeme));
  const found: Alike[] = [];
  for (const [lexeme, bare] of words) {
    if (lexeme === own || known.has(lexeme)) continue;
    const share = similarity(bare);
    if (share > 0) found.push({ lexeme, share });
  }
  return found.sort((a, b) => b.share - a.share || (a.lexeme < b.lexeme ? -1 : 1)).slice(0, mostLooked);
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
