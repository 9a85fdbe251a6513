import type { Transaction } from '../../src/adapters/database/database.js';
import { namespaceRows } from '../namespace/rows.js';
import { postingWidth, termOf } from './blocks.js';
import type { SearchCache } from './cache.js';
import type { Term } from './cached-values.js';
import { namespaceVersions, versionOf } from './versions.js';

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
  // A block is stored uncompressed, so the database knows its length without reading it. Lists may also hold a document that
  // is still being added and not yet counted, so the frequency is limited to the number of documents.
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
