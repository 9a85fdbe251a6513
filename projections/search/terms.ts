import type { Row, Transaction } from '../../src/database/database.js';
import type { TokenKind } from '../../src/domain/tokens/indexed.js';
import { namespaceRows } from '../namespace/rows.js';
import { termOf } from './blocks.js';
import { bucketOf } from './buckets.js';
import type { CachedToken, HashedLexeme, Lexeme, SearchCache, Term } from './cache.js';
import { findWords } from './postings.js';
import { type NamespaceState, namespaceStates } from './states.js';
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
 * The tokens in each namespace. The lexeme of a token is known from earlier searches, because the text configuration of a namespace never
 * changes, and so are the documents that hold it: see `findWords`.
 */
export async function tokensIn(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
  tokens: readonly AskedToken[],
): Promise<TokenIn[]> {
  const states = (await namespaceStates(tx, cache, namespaceIds)).filter(({ documents }) => documents > 0);
  const pairs = states.flatMap((state) => tokens.map((token) => ({ state, token })));
  const known = ({ state, token }: (typeof pairs)[number]) => cache.tokens.get(keyIn(state.id, token));
  const read = await readTokens(
    tx,
    pairs.filter((pair) => known(pair) === undefined),
  );
  for (const [key, token] of read) cache.tokens.set(key, token, bytesOfToken);
  const found = pairs.flatMap((pair) => {
    const cached = known(pair) ?? read.get(keyIn(pair.state.id, pair.token));
    return cached ? [{ ...pair, cached }] : [];
  });
  const lexemes = found.flatMap(({ state, token, cached }) =>
    cached.hashed ? [lexemeIn(state, cached.hashed, token.text)] : [],
  );
  const terms = new Map((await withStatistics(tx, cache, lexemes)).map((term) => [term.term, term]));
  return found.map(({ state, token, cached }) => ({
    ...token,
    namespaceId: state.id,
    textConfig: cached.textConfig,
    lexeme: cached.hashed?.lexeme ?? null,
    term: terms.get(cached.hashed?.term ?? '') ?? null,
  }));
}

/** The bytes of a token in the cache, with its names. */
const bytesOfToken = 600;

const keyIn = (namespaceId: string, { text, kind }: AskedToken): string => `${namespaceId} ${kind} ${text}`;

const lexemeIn = ({ id, documents, length }: NamespaceState, hashed: HashedLexeme, word: string): Lexeme => ({
  word,
  namespace_id: id,
  lexeme: hashed.lexeme,
  documents,
  length,
  term: hashed.term,
  bucket: hashed.bucket,
});

interface TokenRow extends Row {
  word: string;
  kind: TokenKind;
  config: string;
  namespace_id: string;
  lexeme: string | null;
  term: string;
  bucket: string;
}

/** By the keys of the cache. */
async function readTokens(
  tx: Transaction,
  missing: readonly { readonly state: NamespaceState; readonly token: AskedToken }[],
): Promise<Map<string, CachedToken>> {
  if (missing.length === 0) return new Map();
  const tokens = [...new Map(missing.map(({ token }) => [keyIn('', token), token])).values()];
  const rows = await tx.query<TokenRow>(
    `with scope as materialized (
       select id as namespace_id, text_config as config from ${namespaceRows} where id = any($1::uuid[])),
     dictionaries as materialized (${dictionariesOf('select distinct config from scope')}),
     asked as (
       select s.namespace_id, config, t.text as word, t.kind, ${lexemeOf('t.text', 't.kind', 'd')} as lexeme
         from scope s join dictionaries d using (config) cross join unnest($2::text[], $3::integer[]) t(text, kind))
     select word, kind, config, namespace_id::text, lexeme, term::text, ${bucketOf('term', 'namespace_id')}::text as bucket
       from (select *, ${termOf('lexeme', 'namespace_id')} as term from asked) a`,
    [
      [...new Set(missing.map(({ state }) => state.id))],
      tokens.map(({ text }) => text),
      tokens.map(({ kind }) => kind),
    ],
  );
  return new Map(
    rows.map(({ word: text, kind, config: textConfig, namespace_id: id, lexeme, term, bucket }) => [
      keyIn(id, { text, kind }),
      { textConfig, hashed: lexeme === null ? null : { lexeme, term, bucket } },
    ]),
  );
}

/** The terms of lexemes of namespaces. Those that no memory has any more are left out. */
export async function termsOfLexemes(tx: Transaction, cache: SearchCache, asked: readonly LexemeIn[]): Promise<Term[]> {
  if (asked.length === 0) return [];
  const states = await namespaceStates(tx, cache, [...new Set(asked.map(({ namespaceId }) => namespaceId))]);
  const byId = new Map(states.filter(({ documents }) => documents > 0).map((state) => [state.id, state]));
  const missing = asked.filter((one) => cache.lexemes.get(lexemeKey(one)) === undefined);
  const read = await readLexemes(tx, missing);
  for (const [key, hashed] of read) cache.lexemes.set(key, hashed, bytesOfToken);
  const lexemes = asked.flatMap((one) => {
    const state = byId.get(one.namespaceId);
    const hashed = cache.lexemes.get(lexemeKey(one)) ?? read.get(lexemeKey(one));
    return state && hashed ? [lexemeIn(state, hashed, one.lexeme)] : [];
  });
  return withStatistics(tx, cache, lexemes);
}

interface LexemeIn {
  readonly namespaceId: string;
  readonly lexeme: string;
}

const lexemeKey = ({ namespaceId, lexeme }: LexemeIn): string => `${namespaceId} ${lexeme}`;

/** By the keys of the cache. */
async function readLexemes(tx: Transaction, asked: readonly LexemeIn[]): Promise<Map<string, HashedLexeme>> {
  if (asked.length === 0) return new Map();
  const rows = await tx.query<HashedLexeme & Row & { namespaceId: string }>(
    `select namespace_id::text as "namespaceId", lexeme, term::text, ${bucketOf('term', 'namespace_id')}::text as bucket
       from (select namespace_id, lexeme, ${termOf('lexeme', 'namespace_id')} as term
               from unnest($1::uuid[], $2::text[]) r(namespace_id, lexeme)) w`,
    [asked.map(({ namespaceId }) => namespaceId), asked.map(({ lexeme }) => lexeme)],
  );
  return new Map(rows.map((row) => [lexemeKey(row), { lexeme: row.lexeme, term: row.term, bucket: row.bucket }]));
}

async function withStatistics(tx: Transaction, cache: SearchCache, lexemes: readonly Lexeme[]): Promise<Term[]> {
  if (lexemes.length === 0) return [];
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
