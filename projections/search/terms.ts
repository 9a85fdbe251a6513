import type { Row, Transaction } from '../../src/adapters/database/database.js';
import { postingWidth, termOf } from './blocks.js';

/** A word of a query as one namespace knows it. */
export interface Term extends Row {
  word: string;
  namespace_id: string;
  /** What the namespace's text configuration makes of the word. */
  lexeme: string;
  /** ln(1 + (N − n + ½) / (n + ½)), Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). */
  idf: number;
}

/** The lexemes of `words` in each namespace. Stopped words and words that nobody wrote there are missing. */
export function termsOf(tx: Transaction, namespaceIds: readonly string[], words: readonly string[]): Promise<Term[]> {
  // A block is stored uncompressed, so its length is known without reading it.
  return tx.query<Term>(
    `select w.word, s.namespace_id::text, w.lexeme,
            ln(1 + (s.documents - p.n + 0.5) / (p.n + 0.5))::float8 as idf
       from search_namespaces s join namespaces n on n.id = s.namespace_id
      cross join lateral (
         select word, lexeme from unnest($2::text[]) a(word)
           cross join lateral unnest(to_tsvector(n.text_config::regconfig, a.word))) w
      cross join lateral (
         select sum(octet_length(entries)) / ${postingWidth} as n from search_postings
          where term = ${termOf('w.lexeme', 's.namespace_id')}) p
      where s.namespace_id = any($1::uuid[]) and p.n > 0`,
    [namespaceIds, words],
  );
}
