import { slices } from '../../src/base/steps.js';
import type { Database, Transaction } from '../../src/database/database.js';
import { type IndexedPart, type TokenKind, tokenKinds } from '../../src/domain/tokens/indexed.js';
import { seededTerm, spaceOf, termSeed } from './blocks.js';
import { placeOf, restOf } from './buckets.js';
import type { SearchDocument } from './index.js';
import { dictionariesOf, lexemeOf } from './words.js';

/** A lexeme of a namespace. Equal ones are the same object. */
export interface Lexeme {
  /** Its UTF-8, a character for each byte: such texts are compared as PostgreSQL compares bytes, in a tenth of the time of buffers. */
  readonly bytes: string;
  /** Which bucket of the namespace has its postings, and the part of its hash that a posting has. */
  readonly place: number;
  readonly rest: number;
}

/** The keys of a namespace that a rebuild needs to write its blocks. */
export interface Vocabulary {
  /** The seed of the hashes of its words. */
  readonly seed: bigint;
  /** The key of the vectors of a model. */
  space(model: string): string;
}

/** A document with the lexemes of the tokens of each of its parts; null for a stop word. */
export interface Worded {
  readonly document: SearchDocument;
  readonly lexemes: readonly (readonly (Lexeme | null)[])[];
  readonly vocabulary: Vocabulary;
}

/**
 * The lexemes of a rebuild. Only the database has its stemmers and its hash. But memories say the same words over and over, so it is
 * asked once for each word, and not each time that a memory has it.
 */
export interface Lexicon {
  /** @param models the keys of the models of the vectors of these documents */
  worded(read: Read, documents: readonly SearchDocument[], models: readonly string[]): Promise<Worded[]>;
}

export type Read = Database['read'];

/** When more is known, all is forgotten: some 400 bytes for each token, and 1 kB for each namespace. */
const mostKnown = { tokens: 50_000, namespaces: 10_000 };

type Place = Pick<SearchDocument, 'namespaceId' | 'textConfig'>;
const keyOf = ({ namespaceId, textConfig }: Place): string => `${namespaceId} ${textConfig}`;

export function createLexicon(most = mostKnown): Lexicon {
  const namespaces = new Map<string, Known>();
  let tokens = 0;
  const vocabularyOf = (place: Place): Known => {
    const found = namespaces.get(keyOf(place)) ?? new Known(place);
    namespaces.set(keyOf(place), found);
    return found;
  };
  return {
    async worded(read, documents, models) {
      if (tokens > most.tokens || namespaces.size > most.namespaces) {
        namespaces.clear();
        tokens = 0;
      }
      const next = slices();
      const missing = new Map<string, Missing>();
      const found: Worded[] = [];
      const vocabularies = new Set<Known>();
      for (const document of documents) {
        const vocabulary = vocabularyOf(document);
        vocabularies.add(vocabulary);
        const lexemes: (Lexeme | null)[][] = [];
        for (const part of document.parts) {
          lexemes.push(known(part, vocabulary, missing));
          await next();
        }
        found.push({ document, vocabulary, lexemes });
      }
      tokens += missing.size;
      const keys = missingKeys(vocabularies, models);
      if (keys.length + missing.size > 0) {
        await read(async (tx) => {
          await readKeys(tx, keys);
          await readLexemes(tx, [...missing.values()]);
        });
      }
      for (const { places, lexeme } of missing.values()) for (const [list, i] of places) list[i] = lexeme;
      return found;
    },
  };
}

/** The lexemes of a part as far as they are known. The places of unknown ones are noted, so that each token is looked up once. */
function known({ texts, kinds }: IndexedPart, vocabulary: Known, missing: Map<string, Missing>): (Lexeme | null)[] {
  const lexemes: (Lexeme | null)[] = [];
  for (const [i, text] of texts.entries()) {
    const kind = kinds[i] ?? tokenKinds.asIs;
    const lexeme = vocabulary.get(kind, text);
    lexemes.push(lexeme ?? null);
    if (lexeme !== undefined) continue;
    const key = `${kind} ${text} ${keyOf(vocabulary)}`;
    const token = missing.get(key) ?? { vocabulary, kind, text, lexeme: null, places: [] };
    missing.set(key, token);
    token.places.push([lexemes, i]);
  }
  return lexemes;
}

interface Missing {
  readonly vocabulary: Known;
  readonly kind: TokenKind;
  readonly text: string;
  lexeme: Lexeme | null;
  readonly places: (readonly [(Lexeme | null)[], number])[];
}

class Known implements Vocabulary {
  readonly namespaceId: string;
  readonly textConfig: string;
  readonly spaces = new Map<string, string>();
  readonly #byToken: Map<string, Lexeme | null>[] = [];
  readonly #byText = new Map<string, Lexeme>();
  seed = 0n;

  constructor({ namespaceId, textConfig }: Place) {
    this.namespaceId = namespaceId;
    this.textConfig = textConfig;
  }

  get(kind: TokenKind, text: string): Lexeme | null | undefined {
    return this.#byToken[kind]?.get(text);
  }

  space(model: string): string {
    const found = this.spaces.get(model);
    if (found === undefined) throw new Error('the key of a model was not read');
    return found;
  }

  take({ kind, text }: Missing, lexeme: string | null, term: string | null): Lexeme | null {
    const tokens = this.#byToken[kind] ?? new Map<string, Lexeme | null>();
    this.#byToken[kind] = tokens;
    const only = lexeme === null || term === null ? null : this.#only(lexeme, term);
    tokens.set(text, only);
    return only;
  }

  #only(lexeme: string, term: string): Lexeme {
    const found = this.#byText.get(lexeme) ?? {
      bytes: Buffer.from(lexeme).toString('latin1'),
      place: placeOf(term),
      rest: restOf(term),
    };
    this.#byText.set(lexeme, found);
    return found;
  }
}

async function readLexemes(tx: Transaction, missing: readonly Missing[]): Promise<void> {
  const [asTheyStand, stemmed] = [
    missing.filter(({ kind }) => kind === tokenKinds.asIs),
    missing.filter(({ kind }) => kind !== tokenKinds.asIs),
  ];
  await Promise.all([readTerms(tx, asTheyStand), readStems(tx, stemmed)]);
}

/** Numbers and codes are many and need no stemmer. This statement takes a third of the time of the other one. */
async function readTerms(tx: Transaction, tokens: readonly Missing[]): Promise<void> {
  if (tokens.length === 0) return;
  const [row] = await tx.query<{ terms: string }>(
    `select string_agg(${seededTerm('text', 'seed')}::text, ' ' order by number) as terms
       from unnest($1::bigint[], $2::text[]) with ordinality t(seed, text, number)`,
    [tokens.map(({ vocabulary }) => String(vocabulary.seed)), tokens.map(({ text }) => text)],
  );
  const terms = row?.terms.split(' ') ?? [];
  for (const [i, token] of tokens.entries()) token.lexeme = token.vocabulary.take(token, token.text, terms[i] ?? null);
}

async function readStems(tx: Transaction, tokens: readonly Missing[]): Promise<void> {
  if (tokens.length === 0) return;
  const [row] = await tx.query<{ found: string }>(
    `with given as materialized (
       select * from unnest($1::bigint[], $2::text[], $3::integer[], $4::text[])
         with ordinality g(seed, config, kind, text, number)),
     dictionaries as materialized (${dictionariesOf('select distinct config from given')})
     select json_agg(json_build_array(lexeme, ${seededTerm('lexeme', 'seed')}::text) order by number)::text as found
       from (select g.number, g.seed, ${lexemeOf('g.text', 'g.kind', 'd')} as lexeme
               from given g join dictionaries d using (config)) l`,
    [
      tokens.map(({ vocabulary }) => String(vocabulary.seed)),
      tokens.map(({ vocabulary }) => vocabulary.textConfig),
      tokens.map(({ kind }) => kind),
      tokens.map(({ text }) => text),
    ],
  );
  const found: (readonly [string | null, string | null])[] = JSON.parse(row?.found ?? '[]');
  if (found.length !== tokens.length) throw new Error('the database did not give a lexeme for each word');
  for (const [i, token] of tokens.entries()) {
    token.lexeme = token.vocabulary.take(token, ...(found[i] ?? [null, null]));
  }
}

interface MissingKey {
  readonly own: Known;
  readonly model: string;
}

/** The seed of a namespace is read with each space. A namespace whose documents have no vectors needs it too. */
const missingKeys = (namespaces: Iterable<Known>, models: readonly string[]): MissingKey[] =>
  [...namespaces].flatMap((own) =>
    ['', ...models].filter((model) => !own.spaces.has(model)).map((model) => ({ own, model })),
  );

async function readKeys(tx: Transaction, missing: readonly MissingKey[]): Promise<void> {
  if (missing.length === 0) return;
  const rows = await tx.query<{ seed: string; space: string }>(
    `select ${termSeed('namespace_id')}::text as seed, ${spaceOf('model', 'namespace_id')}::text as space
       from unnest($1::uuid[], $2::text[]) with ordinality n(namespace_id, model, number) order by number`,
    [missing.map(({ own }) => own.namespaceId), missing.map(({ model }) => model)],
  );
  for (const [i, { own, model }] of missing.entries()) {
    const row = rows[i];
    if (!row) throw new Error('the database did not give the keys of each namespace');
    own.seed = BigInt(row.seed);
    own.spaces.set(model, row.space);
  }
}
