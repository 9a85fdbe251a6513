import type { Transaction } from '../../src/database/database.js';
import { keyOf } from '../../src/domain/tokens/indexed.js';
import { type ListQuery, type Phrase, readListQuery } from '../../src/domain/tokens/list-query.js';
import type { Token } from '../../src/domain/tokens/word.js';
import { namespaceRows } from '../namespace/rows.js';
import { wordsPattern } from './literal.js';
import type { CompiledQuery } from './search-index.js';
import { tsqueryText, type WordQuery } from './tsquery.js';
import { dictionariesOf, lexemeOf } from './words.js';

/** Every memory may match. */
const anything: WordQuery = { kind: 'all', parts: [] };

/**
 * Compiles `q` in the text configuration of each namespace. Where all of its words are stop words, which are not in the index, they are
 * looked for in the texts themselves.
 */
export async function compileListQuery(
  tx: Transaction,
  namespaceIds: readonly string[],
  q: string,
): Promise<CompiledQuery[]> {
  const { tree, phrases } = readListQuery(q);
  if (!tree) return [];
  const tokens = new Map(tokensIn(tree).map((token) => [nameOf(token), keyOf(token)]));
  const lexemes = await readLexemes(tx, namespaceIds, [...tokens.values()]);
  const namespaces = await tx.query<{ id: string; config: string }>(
    `select n.id::text, n.text_config as config from ${namespaceRows} n where n.id = any($1::uuid[]) order by n.id`,
    [namespaceIds],
  );
  const pattern = wordsPattern(phrases);
  const compiled = new Map<string, Omit<CompiledQuery, 'namespaceId'> | null>();
  for (const { config } of namespaces) {
    if (compiled.has(config)) continue;
    const query = withLexemes(tree, (token) => lexemes.get(`${config} ${nameOf(token)}`));
    if (query) compiled.set(config, { query, test: { tsquery: tsqueryText(query) } });
    else compiled.set(config, pattern === null ? null : { query: anything, test: { pattern } });
  }
  return namespaces.flatMap(({ id: namespaceId, config }) => {
    const one = compiled.get(config);
    return one ? [{ namespaceId, ...one }] : [];
  });
}

function nameOf(token: Token): string {
  const { kind, text } = keyOf(token);
  return `${kind} ${text}`;
}

function tokensIn(query: ListQuery): readonly Token[] {
  if (query.kind === 'word') return query.tokens;
  if (query.kind === 'phrase') return query.words.flatMap(({ tokens }) => tokens);
  return query.kind === 'not' ? tokensIn(query.part) : query.parts.flatMap(tokensIn);
}

/** The lexemes of tokens in the text configurations of these namespaces. Stop words have none. */
async function readLexemes(
  tx: Transaction,
  namespaceIds: readonly string[],
  tokens: readonly ReturnType<typeof keyOf>[],
): Promise<Map<string, string>> {
  const configs = `select distinct n.text_config from ${namespaceRows} n where n.id = any($1::uuid[])`;
  const rows = await tx.query<{ config: string; text: string; kind: number; lexeme: string }>(
    `select * from (
       select d.config, t.text, t.kind, ${lexemeOf('t.text', 't.kind', 'd')} as lexeme
         from (${dictionariesOf(configs)}) d cross join unnest($2::text[], $3::integer[]) t(text, kind)) l
      where lexeme is not null`,
    [namespaceIds, tokens.map(({ text }) => text), tokens.map(({ kind }) => kind)],
  );
  return new Map(rows.map(({ config, text, kind, lexeme }) => [`${config} ${kind} ${text}`, lexeme]));
}

type LexemeOf = (token: Token) => string | undefined;

/** @returns null if only stop words are left */
function withLexemes(query: ListQuery, lexemeOf: LexemeOf): WordQuery | null {
  if (query.kind === 'word') return wordOf(query.tokens, lexemeOf);
  if (query.kind === 'phrase') return phraseOf(query, lexemeOf);
  if (query.kind === 'not') {
    const part = withLexemes(query.part, lexemeOf);
    return part && { kind: 'not', part };
  }
  return joined(
    query.kind,
    query.parts.flatMap((part) => withLexemes(part, lexemeOf) ?? []),
  );
}

function joined(kind: 'all' | 'any', parts: readonly WordQuery[]): WordQuery | null {
  const [only] = parts;
  return only === undefined || parts.length === 1 ? (only ?? null) : { kind, parts };
}

function wordOf(tokens: Extract<ListQuery, { kind: 'word' }>['tokens'], lexemeOf: LexemeOf): WordQuery | null {
  const lexemes = new Set(tokens.flatMap((token) => lexemeOf(token) ?? []));
  return joined(
    'any',
    Array.from(lexemes, (lexeme) => ({ kind: 'word', lexeme })),
  );
}

/** The words of a phrase must be words of the text, and no parts of them that have the same place. */
function phraseOf({ words, isStrict }: Phrase, lexemeOf: LexemeOf): WordQuery | null {
  const found = words.flatMap(({ at, tokens }) => {
    const lexemes = new Map<string, WordQuery>();
    for (const token of tokens) {
      const [lexeme, { weight }] = [lexemeOf(token), token];
      if (lexeme !== undefined) lexemes.set(`${weight} ${lexeme}`, { kind: 'word', lexeme, weight });
    }
    const part = joined('any', [...lexemes.values()]);
    return part ? [{ at, part }] : [];
  });
  const [only] = found;
  if (only === undefined || (isStrict && found.length < words.length)) return null;
  if (found.length === 1) return only.part;
  return { kind: 'phrase', parts: found.map(({ part }) => part), places: found.map(({ at }) => at) };
}
