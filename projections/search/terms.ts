import type { Transaction } from '../../src/database/database.js';
import type { TokenKind } from '../../src/domain/tokens/indexed.js';
import { namespaceRows } from '../namespace/rows.js';
import { termOf } from './blocks.js';
import { bucketOf } from './buckets.js';
import type { CachedToken, Lexeme, SearchCache, Term } from './cache.js';
import { bytesOfList } from './posting-list.js';
import { findWords } from './postings.js';
import { namespaceVersions } from './versions.js';
import { dictionariesOf, lexemeOf } from './words.js';

/** A token of a query, with what the database makes its lexeme of. */
export interface AskedToken {
  readonly text: string;
  readonly kind: TokenKind;
}

/** A token in a namespace: its lexeme there, null for a stop word, and its term, null where no memory has it. */
export interface TokenIn extends AskedToken {
  readonly namespaceId: string;
  readonly textConfig: string;
  readonly lexeme: string | null;
  readonly term: Term | null;
}

/**
 * The tokens in each namespace. What is cached of a token is valid until the namespace changes, and then the row of the namespace
 * has another version.
 */
export async function tokensIn(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
  tokens: readonly AskedToken[],
): Promise<TokenIn[]> {
  const versions = await namespaceVersions(tx, namespaceIds);
  const known: TokenIn[] = [];
  const missing = new Map<string, AskedToken>();
  for (const { id, version } of versions) {
    for (const token of tokens) {
      const cached = cache.terms.get(keyIn(id, token));
      if (cached?.version === version) known.push({ ...token, namespaceId: id, ...cached });
      else missing.set(keyOf(token), token);
    }
  }
  if (missing.size === 0) return known;
  const read = await readTokens(tx, cache, namespaceIds, [...missing.values()]);
  const versionOf = new Map(versions.map(({ id, version }) => [id, version]));
  for (const token of read) {
    const value: CachedToken = {
      version: versionOf.get(token.namespaceId) ?? '',
      textConfig: token.textConfig,
      lexeme: token.lexeme,
      term: token.term,
    };
    cache.terms.set(keyIn(token.namespaceId, token), value, bytesOfTerm(token.term));
  }
  return [...known.filter((token) => !missing.has(keyOf(token))), ...read];
}

/** The bytes of a token in the cache, with its names. */
const bytesOfTerm = (term: Term | null): number => 600 + (term ? bytesOfList(term.list) : 0);

const keyOf = ({ text, kind }: AskedToken): string => `${kind} ${text}`;
const keyIn = (namespaceId: string, token: AskedToken): string => `${namespaceId} ${keyOf(token)}`;

interface TokenRow extends Lexeme {
  kind: TokenKind;
  config: string;
}

async function readTokens(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
  tokens: readonly AskedToken[],
): Promise<TokenIn[]> {
  const rows = await tx.query<TokenRow>(
    `with scope as materialized (
       select s.namespace_id, s.documents, s.length, n.text_config as config
         from search_namespaces s join ${namespaceRows} n on n.id = s.namespace_id
        where s.namespace_id = any($1::uuid[]) and s.documents > 0),
     dictionaries as materialized (${dictionariesOf('select distinct config from scope')}),
     asked as (
       select s.namespace_id, s.documents, s.length, config, t.text as word, t.kind, ${lexemeOf('t.text', 't.kind', 'd')} as lexeme
         from scope s join dictionaries d using (config) cross join unnest($2::text[], $3::integer[]) t(text, kind))
     select word, kind, config, namespace_id::text, lexeme, documents, length, term::text,
            ${bucketOf('term', 'namespace_id')}::text as bucket
       from (select *, ${termOf('lexeme', 'namespace_id')} as term from asked) a`,
    [namespaceIds, tokens.map(({ text }) => text), tokens.map(({ kind }) => kind)],
  );
  const terms = await withStatistics(
    tx,
    cache,
    rows.filter(({ lexeme }) => lexeme !== null),
  );
  const found = new Map(terms.map((term) => [`${term.namespace_id} ${term.lexeme}`, term]));
  return rows.map(({ word, kind, config: textConfig, namespace_id: namespaceId, lexeme }) => ({
    text: word,
    kind,
    namespaceId,
    textConfig,
    lexeme,
    term: found.get(`${namespaceId} ${lexeme}`) ?? null,
  }));
}

/** The terms of lexemes of namespaces. Those that no memory has any more are left out. They are cached like those of tokens. */
export async function termsOfLexemes(tx: Transaction, cache: SearchCache, asked: readonly LexemeIn[]): Promise<Term[]> {
  if (asked.length === 0) return [];
  const versions = await namespaceVersions(tx, [...new Set(asked.map(({ namespaceId }) => namespaceId))]);
  const versionOf = new Map(versions.map(({ id, version }) => [id, version]));
  const known: Term[] = [];
  const missing: LexemeIn[] = [];
  for (const one of asked) {
    const cached = cache.similar.get(lexemeKey(one));
    if (!cached || cached.version !== versionOf.get(one.namespaceId)) missing.push(one);
    else if (cached.term) known.push(cached.term);
  }
  if (missing.length === 0) return known;
  const terms = await readTerms(tx, cache, missing);
  const found = new Map(
    terms.map((term) => [lexemeKey({ namespaceId: term.namespace_id, lexeme: term.lexeme }), term]),
  );
  for (const one of missing) {
    const term = found.get(lexemeKey(one)) ?? null;
    const version = versionOf.get(one.namespaceId) ?? '';
    cache.similar.set(lexemeKey(one), { version, term }, bytesOfTerm(term));
  }
  return [...known, ...terms];
}

interface LexemeIn {
  readonly namespaceId: string;
  readonly lexeme: string;
}

const lexemeKey = ({ namespaceId, lexeme }: LexemeIn): string => `${namespaceId} ${lexeme}`;

async function readTerms(tx: Transaction, cache: SearchCache, asked: readonly LexemeIn[]): Promise<Term[]> {
  const rows = await tx.query<Lexeme>(
    `select lexeme as word, namespace_id::text, lexeme, documents, length, term::text,
            ${bucketOf('term', 'namespace_id')}::text as bucket
       from (select s.namespace_id, r.lexeme, s.documents, s.length, ${termOf('r.lexeme', 's.namespace_id')} as term
               from unnest($1::uuid[], $2::text[]) r(namespace_id, lexeme)
               join search_namespaces s using (namespace_id) where s.documents > 0) w`,
    [asked.map(({ namespaceId }) => namespaceId), asked.map(({ lexeme }) => lexeme)],
  );
  return withStatistics(tx, cache, rows);
}

async function withStatistics(tx: Transaction, cache: SearchCache, lexemes: readonly Lexeme[]): Promise<Term[]> {
  const found = await findWords(tx, cache, lexemes);
  return lexemes.flatMap((lexeme) => {
    const word = found.get(lexeme.term);
    if (!word) return [];
    // Lists may also hold a document that is still being added and not yet counted.
    const frequency = Math.min(word.frequency, lexeme.documents);
    return [{ ...lexeme, ...word, frequency, idf: idfOf(frequency, lexeme.documents), share: 1, isSimilar: false }];
  });
}

/** ln(1 + (N − n + ½) / (n + ½)), Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). Never negative. */
export const idfOf = (frequency: number, documents: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
