import { slices } from '../../src/base/steps.js';
import type { Transaction } from '../../src/database/database.js';
import { bareWord, similarTo } from '../../src/domain/similar-words.js';
import { namespaceRows } from '../namespace/rows.js';
import { postingBits, termOf } from './blocks.js';
import { bucketOf } from './buckets.js';
import { type Lexeme, namespaceVersions, type SearchCache, type Term } from './cache.js';
import type { Place } from './place.js';
import { findWords, readPostings } from './postings.js';
import { type Vocabulary, vocabulariesOf } from './vocabulary.js';

/**
 * The lexemes of `words` in each namespace. Stop words, and words that are in no memory of the namespace, are left out. The
 * cached data of a word are valid until the namespace changes, and then the row of the namespace has another version.
 */
export async function termsOf(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
  words: readonly string[],
): Promise<Term[]> {
  const versions = await namespaceVersions(tx, namespaceIds);
  const known: Term[] = [];
  const missing = new Set<string>();
  for (const { id, version } of versions) {
    for (const word of words) {
      const cached = cache.terms.get(keyOf(id, word));
      if (cached?.version === version) known.push(...cached.terms);
      else missing.add(word);
    }
  }
  if (missing.size === 0) return known;
  const read = await readTerms(tx, cache, namespaceIds, [...missing]);
  for (const { id, version } of versions) {
    for (const word of missing) {
      const terms = read.filter((term) => term.namespace_id === id && term.word === word);
      const blocks = terms.reduce((sum, term) => sum + term.blocks.length, 0);
      cache.terms.set(keyOf(id, word), { version, terms }, 300 + 200 * blocks);
    }
  }
  return [...known.filter(({ word }) => !missing.has(word)), ...read];
}

const keyOf = (namespaceId: string, word: string): string => `${namespaceId} ${word}`;

async function readTerms(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
  words: readonly string[],
): Promise<Term[]> {
  return withStatistics(
    tx,
    cache,
    `select a.word, s.namespace_id, u.lexeme, s.documents, s.length, ${termOf('u.lexeme', 's.namespace_id')} as term
       from search_namespaces s join ${namespaceRows} n on n.id = s.namespace_id
      cross join unnest($2::text[]) a(word) cross join lateral unnest(to_tsvector(n.text_config::regconfig, a.word)) u
      where s.namespace_id = any($1::uuid[]) and s.documents > 0`,
    [namespaceIds, words],
  );
}

/** The number of words of a query that are compared with others, and of the most similar ones that are used for each. */
const [mostUnknown, mostSimilar] = [4, 4];

/**
 * The terms of words that are similar to those words of a query that no memory of these namespaces has. Stop words, numbers and
 * codes have no similar words.
 */
export async function similarTerms(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
  unknown: readonly string[],
): Promise<Term[]> {
  const compared = unknown.filter((word) => /^[\p{L}\p{M}'’]+$/u.test(word)).slice(0, mostUnknown);
  if (compared.length === 0) return [];
  const lexemes = await lexemesOf(tx, namespaceIds, compared);
  if (lexemes.length === 0) return [];
  const vocabularies = await vocabulariesOf(tx, cache, namespaceIds);
  const similar: Similar[] = [];
  const next = slices();
  for (const { namespaceId, word, lexeme } of lexemes) {
    const best = mostSimilarTo(lexeme, vocabularies.get(namespaceId) ?? new Map());
    similar.push(...best.map((one) => ({ namespaceId, word, ...one })));
    await next();
  }
  return termsOfSimilar(tx, cache, similar);
}

function mostSimilarTo(word: string, words: Vocabulary): { lexeme: string; share: number }[] {
  const similarity = similarTo(bareWord(word));
  const found: { lexeme: string; share: number }[] = [];
  for (const [lexeme, bare] of words) {
    const share = similarity(bare);
    if (share > 0) found.push({ lexeme, share });
  }
  return found.sort((a, b) => b.share - a.share || (a.lexeme < b.lexeme ? -1 : 1)).slice(0, mostSimilar);
}

/** The normal forms of words in the text configuration of each namespace. Stop words have none. */
async function lexemesOf(
  tx: Transaction,
  namespaceIds: readonly string[],
  words: readonly string[],
): Promise<{ namespaceId: string; word: string; lexeme: string }[]> {
  return tx.query(
    `select n.id::text as "namespaceId", a.word, u.lexeme from ${namespaceRows} n cross join unnest($2::text[]) a(word)
      cross join lateral unnest(to_tsvector(n.text_config::regconfig, a.word)) u where n.id = any($1::uuid[])`,
    [namespaceIds, words],
  );
}

/** A word of a query that is in no memory, and a word of memories that is similar to it. */
interface Similar {
  readonly namespaceId: string;
  readonly word: string;
  readonly lexeme: string;
  readonly share: number;
}

/** The terms of similar words. Those that are in no memory any more are left out. */
async function termsOfSimilar(tx: Transaction, cache: SearchCache, similar: readonly Similar[]): Promise<Term[]> {
  if (similar.length === 0) return [];
  const terms = await withStatistics(
    tx,
    cache,
    `select r.word, s.namespace_id, r.lexeme, s.documents, s.length, ${termOf('r.lexeme', 's.namespace_id')} as term
       from unnest($1::uuid[], $2::text[], $3::text[]) r(namespace_id, word, lexeme)
       join search_namespaces s using (namespace_id) where s.documents > 0`,
    [similar.map((one) => one.namespaceId), similar.map((one) => one.word), similar.map((one) => one.lexeme)],
  );
  const keyOfSimilar = (namespaceId: string, word: string, lexeme: string) => `${namespaceId} ${word} ${lexeme}`;
  const shares = new Map(similar.map((one) => [keyOfSimilar(one.namespaceId, one.word, one.lexeme), one.share]));
  return terms.map((term) => ({
    ...term,
    share: shares.get(keyOfSimilar(term.namespace_id, term.word, term.lexeme)) ?? 0,
  }));
}

/** @param words SQL of words with their terms and the counts of their namespace */
async function withStatistics(
  tx: Transaction,
  cache: SearchCache,
  words: string,
  params: readonly (readonly string[])[],
): Promise<Term[]> {
  const lexemes = await tx.query<Lexeme>(
    `select word, namespace_id::text, lexeme, documents, length, term::text,
            ${bucketOf('term', 'namespace_id')}::text as bucket from (${words}) w`,
    [...params],
  );
  const found = await findWords(tx, cache, lexemes);
  return lexemes.flatMap((lexeme) => {
    const word = found.get(lexeme.term);
    if (!word) return [];
    // Lists may also hold a document that is still being added and not yet counted.
    const frequency = Math.min(word.frequency, lexeme.documents);
    const idf = Math.log(1 + (lexeme.documents - frequency + 0.5) / (frequency + 0.5));
    return [{ ...lexeme, ...word, frequency, idf, share: 1 }];
  });
}

/**
 * Finds which of these words each document holds, for the few hits of an answer. It uses the posting lists of the words, most
 * of which the search has just read. Reading the texts instead took 4.3 s for three texts of 1 MiB of distinct words.
 */
export async function matchedTerms(
  tx: Transaction,
  cache: SearchCache,
  places: readonly Place[],
  terms: readonly Term[],
): Promise<(place: Place) => Term[]> {
  const wanted = new Set(places.map(blockKey));
  const needed = terms.map((term) => {
    const kept = term.blocks.flatMap((block, i) =>
      wanted.has(`${term.namespace_id} ${block}`) ? [{ block, version: term.versions[i] ?? '' }] : [],
    );
    return { ...term, blocks: kept.map(({ block }) => block), versions: kept.map(({ version }) => version) };
  });
  const read = await readPostings(tx, cache, needed);
  return (place) =>
    terms.filter(
      (term) =>
        term.namespace_id === place.namespaceId &&
        read(term, blockOf(place))?.offsets.includes(place.seq % 2 ** postingBits),
    );
}

const blockOf = ({ seq }: Place): number => Math.floor(seq / 2 ** postingBits);
const blockKey = (place: Place): string => `${place.namespaceId} ${blockOf(place)}`;
