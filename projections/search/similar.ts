import { slices } from '../../src/base/steps.js';
import type { Transaction } from '../../src/database/database.js';
import { bareWord } from '../../src/domain/similar-words.js';
import { WordList } from '../../src/domain/word-list.js';
import type { SearchCache, Term } from './cache.js';
import { addSimilar, comparedIn, keep } from './compared.js';
import type { Filter } from './passing.js';
import { termsOfLexemes } from './terms.js';
import { visibleTerms } from './visible.js';
import { vocabulariesOf } from './vocabulary.js';

/** The most similar words that are used of a word. */
const mostSimilar = 4;
/** How many similar words are looked at first to find those that memories have that may be returned. Then four times as many. */
const firstSimilar = 12;

/** A word of the query in a namespace. */
interface Asked {
  readonly word: string;
  readonly namespaceId: string;
  readonly lexeme: string | null;
  /** The tokens that stand for it already. */
  readonly terms: readonly Term[];
}

/**
 * The terms that are spelt most like each word and that memories have that pass, the most similar first, with their similarity as
 * their share.
 */
export async function similarOf<Word extends Asked>(
  tx: Transaction,
  cache: SearchCache,
  filter: Filter,
  words: readonly Word[],
): Promise<Map<Word, readonly Term[]>> {
  const similar = new Map<Word, readonly Term[]>();
  if (words.length === 0) return similar;
  const namespaceIds = new Set(words.map(({ namespaceId }) => namespaceId));
  const known = await comparedIn(tx, cache, namespaceIds, filter);
  const unknown: Word[] = [];
  for (const word of words) {
    const terms = known.get(word.namespaceId)?.similar.get(keyOf(word));
    if (terms) similar.set(word, terms);
    else unknown.push(word);
  }
  if (unknown.length === 0) return similar;
  const read = await compare(tx, cache, filter, unknown);
  // Comparing has kept what it has read, so this is looked up again.
  const now = await comparedIn(tx, cache, namespaceIds, filter);
  for (const word of unknown) {
    const terms = read.get(word) ?? [];
    similar.set(word, terms);
    const own = now.get(word.namespaceId);
    if (own) addSimilar(own, keyOf(word), terms);
  }
  keep(cache, now, filter);
  return similar;
}

/** All that the similar words of a word depend on, in one version of a namespace and with one filter. */
const keyOf = ({ word, lexeme, terms }: Asked): string => [word, lexeme, ...terms.map((term) => term.lexeme)].join(' ');

async function compare<Word extends Asked>(
  tx: Transaction,
  cache: SearchCache,
  filter: Filter,
  words: readonly Word[],
): Promise<Map<Word, readonly Term[]>> {
  const similar = new Map<Word, readonly Term[]>();
  const vocabularies = await vocabulariesOf(tx, cache, [...new Set(words.map(({ namespaceId }) => namespaceId))]);
  const next = slices();
  let open: { readonly word: Word; readonly alike: readonly Alike[] }[] = [];
  for (const word of words) {
    open.push({ word, alike: similarTo(word, vocabularies.get(word.namespaceId) ?? new WordList()) });
    await next();
  }
  // Words of memories that do not pass are passed over, however many there are.
  for (let from = 0, size = firstSimilar; open.length > 0; from += size, size *= 4) {
    const pages = open.map(({ word, alike }) => ({ word, alike: alike.slice(from, from + size) }));
    for (const [word, found] of await passingOf(tx, cache, filter, pages)) {
      similar.set(word, [...(similar.get(word) ?? []), ...found].slice(0, mostSimilar));
    }
    open = open.filter(
      ({ word, alike }) => alike.length > from + size && (similar.get(word)?.length ?? 0) < mostSimilar,
    );
  }
  return similar;
}

/** The terms of words that are alike, as far as memories have them that pass, in the same order. */
async function passingOf<Word extends Asked>(
  tx: Transaction,
  cache: SearchCache,
  filter: Filter,
  pages: readonly { readonly word: Word; readonly alike: readonly Alike[] }[],
): Promise<Map<Word, Term[]>> {
  const asked = pages.flatMap(({ word: { namespaceId }, alike }) =>
    alike.map(({ lexeme }) => ({ namespaceId, lexeme })),
  );
  const terms = await termsOfLexemes(tx, cache, asked);
  const visible = await visibleTerms(tx, cache, terms, filter);
  const byLexeme = new Map(
    terms.filter((term) => visible.has(term)).map((term) => [`${term.namespace_id} ${term.lexeme}`, term]),
  );
  return new Map(
    pages.map(({ word, alike }) => [
      word,
      alike.flatMap(({ lexeme, share }) => {
        const term = byLexeme.get(`${word.namespaceId} ${lexeme}`);
        return term ? [{ ...term, word: word.word, share, isSimilar: true }] : [];
      }),
    ]),
  );
}

interface Alike {
  readonly lexeme: string;
  readonly share: number;
}

/** The words that are spelt alike, the most similar first. */
function similarTo({ lexeme: own, terms }: Asked, words: WordList): readonly Alike[] {
  const known = new Set(terms.map(({ lexeme }) => lexeme));
  const found: Alike[] = [];
  words.eachSimilar(bareWord(own ?? ''), (lexeme, share) => {
    if (lexeme !== own && !known.has(lexeme)) found.push({ lexeme, share });
  });
  return found.sort((a, b) => b.share - a.share || (a.lexeme < b.lexeme ? -1 : 1));
}
