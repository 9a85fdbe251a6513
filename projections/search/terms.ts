import type { Row, Transaction } from '../../src/adapters/database/database.js';
import { namespaceRows } from '../namespace/rows.js';
import { postingWidth, termOf } from './blocks.js';
import { namespaceVersions, type SearchCache, versionOf } from './cache.js';

/** A word of a query as one namespace knows it. */
export interface Term extends Row {
  word: string;
  namespace_id: string;
  /** The form of the word in the namespace's text configuration. */
  lexeme: string;
  /** ln(1 + (N − n + ½) / (n + ½)), Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). */
  idf: number;
  /** How many documents of the namespace hold it. */
  frequency: number;
  /** Documents of the namespace, and words in all of them. */
  documents: number;
  length: number;
  /** Its hash in the index, its blocks there and the versions of their rows. */
  term: string;
  blocks: number[];
  versions: string[];
}

/**
 * The lexemes of `words` in each namespace. Stopped words and words that are in no memory there are missing.
 * What is known of a word stays right until its namespace changes, and then the row of the namespace is another version.
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
      const kept = cache.terms.get(keyOf(id, word));
      if (kept?.version === version) known.push(...kept.terms);
      else missing.add(word);
    }
  }
  if (missing.size === 0) return known;
  const read = await readTerms(tx, namespaceIds, [...missing]);
  for (const { id, version } of versions) {
    for (const word of missing) {
      const terms = read.filter((term) => term.namespace_id === id && term.word === word);
      const blocks = terms.reduce((sum, term) => sum + term.blocks.length, 0);
      cache.terms.set(keyOf(id, word), { version, terms }, 300 + 100 * blocks);
    }
  }
  return [...known.filter(({ word }) => !missing.has(word)), ...read];
}

const keyOf = (namespaceId: string, word: string): string => `${namespaceId} ${word}`;

function readTerms(tx: Transaction, namespaceIds: readonly string[], words: readonly string[]): Promise<Term[]> {
  // A block is stored uncompressed, so its length is known without reading it. Lists may also hold a document that is still
  // being added, which is not counted among the documents yet.
  return tx.query<Term>(
    `select w.word, s.namespace_id::text, w.lexeme, s.documents, s.length, f.n as frequency, w.term::text,
            p.blocks, p.versions, ln(1 + (s.documents - f.n + 0.5) / (f.n + 0.5))::float8 as idf
       from search_namespaces s join ${namespaceRows} n on n.id = s.namespace_id
      cross join lateral (
         select word, lexeme, ${termOf('lexeme', 's.namespace_id')} as term from unnest($2::text[]) a(word)
           cross join lateral unnest(to_tsvector(n.text_config::regconfig, a.word))) w
      cross join lateral (
         select (sum(octet_length(b.entries)) / ${postingWidth})::bigint as n, array_agg(b.block) as blocks,
                array_agg(${versionOf('b')}) as versions
           from search_postings b where b.term = w.term) p
      cross join lateral (select least(p.n, s.documents) as n) f
      where s.namespace_id = any($1::uuid[]) and p.n > 0 and s.documents > 0`,
    [namespaceIds, words],
  );
}
