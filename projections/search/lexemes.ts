import type { Transaction } from '../../src/database/database.js';
import { type IndexedPart, type TokenKind, tokenKinds } from '../../src/domain/tokens/indexed.js';
import { utf8 } from './text-hash.js';
import { dictionariesOf, lexemeOf } from './words.js';

/** The tokens of a part of a document, and how the words of its namespace are stemmed. */
interface Worded {
  readonly textConfig: string;
  readonly tokens: IndexedPart;
}

/** The lexeme of each token of a part, as `utf8` writes it; null for a stop word. */
export type Lexemes = readonly (string | null)[];

/** Runs a statement that reads, in a transaction that is there already or in one of its own. */
export type Ask = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/**
 * What the stemmers of the database have made of words, by their configuration and kind. Only the database has them, but memories say
 * the same words over and over, so it is asked once for each word. A stemmer makes the same of a word always, in every store.
 */
const known = new Map<string, Map<string, string | null>>();
let words = 0;
/** When more is known, all is forgotten: some 150 bytes for each word. */
const mostWords = 50_000;

/**
 * The lexemes of the tokens of each part. Unknown words are looked up together, in one statement.
 * @param next is waited for between two parts: see `slices`
 */
export async function lexemesOf(
  ask: Ask,
  parts: readonly Worded[],
  next: () => Promise<void>,
): Promise<readonly Lexemes[]> {
  const missing = new Map<string, Missing>();
  const found: Lexemes[] = [];
  for (const { textConfig, tokens } of parts) {
    found.push(knownOf(textConfig, tokens, missing));
    await next();
  }
  if (missing.size > 0) await learn(ask, [...missing.values()]);
  return found;
}

/** The lexemes of a part as far as they are known. The places of unknown ones are noted, so that each is looked up once. */
function knownOf(textConfig: string, { texts, kinds }: IndexedPart, missing: Map<string, Missing>): Lexemes {
  const lexemes: (string | null)[] = [];
  for (const [i, text] of texts.entries()) {
    const kind = kinds[i] ?? tokenKinds.asIs;
    const stem = `${textConfig} ${kind}`;
    const lexeme = kind === tokenKinds.asIs ? utf8(text) : known.get(stem)?.get(text);
    lexemes.push(lexeme ?? null);
    if (lexeme !== undefined) continue;
    const one = missing.get(`${stem} ${text}`) ?? { textConfig, kind, text, places: [] };
    missing.set(`${stem} ${text}`, one);
    one.places.push([lexemes, i]);
  }
  return lexemes;
}

/** A word that is not known yet, and the places in the lists of lexemes that wait for it. */
interface Missing {
  readonly textConfig: string;
  readonly kind: TokenKind;
  readonly text: string;
  readonly places: (readonly [(string | null)[], number])[];
}

async function learn(ask: Ask, missing: readonly Missing[]): Promise<void> {
  const lexemes = await ask((tx) => stemmed(tx, missing));
  if (words > mostWords) {
    known.clear();
    words = 0;
  }
  words += missing.length;
  for (const [at, { textConfig, kind, text, places }] of missing.entries()) {
    const stem = lexemes[at] ?? null;
    const lexeme = stem === null ? null : utf8(stem);
    const same = known.get(`${textConfig} ${kind}`) ?? new Map<string, string | null>();
    known.set(`${textConfig} ${kind}`, same);
    same.set(text, lexeme);
    for (const [list, i] of places) list[i] = lexeme;
  }
}

async function stemmed(tx: Transaction, missing: readonly Missing[]): Promise<(string | null)[]> {
  const [row] = await tx.query<{ lexemes: string }>(
    `with given as materialized (
       select * from unnest($1::text[], $2::integer[], $3::text[]) with ordinality g(config, kind, text, number)),
     dictionaries as materialized (${dictionariesOf('select distinct config from given')})
     select json_agg(lexeme order by number)::text as lexemes
       from (select g.number, ${lexemeOf('g.text', 'g.kind', 'd')} as lexeme from given g join dictionaries d using (config)) l`,
    [missing.map(({ textConfig }) => textConfig), missing.map(({ kind }) => kind), missing.map(({ text }) => text)],
  );
  const lexemes: (string | null)[] = JSON.parse(row?.lexemes ?? '[]');
  if (lexemes.length !== missing.length) throw new Error('the database did not give a lexeme for each word');
  return lexemes;
}
