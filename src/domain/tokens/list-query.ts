import { withNames } from './cut.js';
import { codeOf, formsOf, plainTokens, sameShare, wholeTokens } from './query.js';
import type { Run } from './runs.js';
import { preparedText, visibleForm } from './text.js';
import { type RunTokens, tokensOf } from './token.js';
import { lowered, type Token, wordToken } from './word.js';

/** The query `q` of a list as a tree, in the tokens that texts are stored with. */
export type ListQuery =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly ListQuery[] }
  | { readonly kind: 'not'; readonly part: ListQuery }
  /** Any of these tokens, at any place. */
  | { readonly kind: 'word'; readonly tokens: readonly Token[] }
  | Phrase;

/** Words at these distances of each other. */
export interface Phrase {
  readonly kind: 'phrase';
  readonly words: readonly PhraseWord[];
  /** Whether it says nothing if one of its words is a stop word. Otherwise a stop word only keeps its place. */
  readonly isStrict: boolean;
}

interface PhraseWord {
  /** Its place from 0. */
  readonly at: number;
  /** Any of these. What the tokens are in the text says their weight: `A` a word, `B` a whole, `D` a form. */
  readonly tokens: readonly (Token & { readonly weight: Weight })[];
}

export type Weight = 'A' | 'B' | 'D';

interface ReadQuery {
  /** Null for a query without words. */
  readonly tree: ListQuery | null;
  /** The words in their order, and those behind each `OR`: what is looked for in the texts if all of them are stop words. */
  readonly phrases: readonly (readonly string[])[];
}

/** A part between spaces and quotation marks, or between two quotation marks. */
interface Unit {
  readonly text: string;
  readonly isPhrase: boolean;
  readonly isNegated: boolean;
}

const quotes = '"“”„';
const units = new RegExp(`[${quotes}]([^${quotes}]*)[${quotes}]?|[^\\s${quotes}]+`, 'gu');
const ofRun = './\\\\:@_+#&';
/** A dash in front of a word, at the beginning of a run. Two dashes are an option of a command, and no operator. */
const negation = new RegExp(
  `^[^\\p{L}\\p{M}\\p{N}\\p{Extended_Pictographic}\\p{Regional_Indicator}${ofRun}-]*-` +
    `(?=[\\p{L}\\p{M}\\p{N}\\p{Extended_Pictographic}\\p{Regional_Indicator}${ofRun}]|$)`,
  'u',
);

/**
 * Reads `q`. The operators are quotation marks, `OR` between two words or phrases, and a dash in front of a word or phrase; every other
 * sign belongs to its word or parts two of them. The time is linear in the length of the query.
 */
export function readListQuery(q: string): ReadQuery {
  const found = unitsOf(visibleForm(q));
  const parts: ListQuery[][] = [[]];
  const phrases: string[][] = [[]];
  let hasOperand = false;
  /** The word before, as long as `LH 456` may stand for `LH456` too. */
  let before: string | undefined;
  for (const [i, unit] of found.entries()) {
    if (isOr(unit) && hasOperand && i < found.length - 1) {
      parts.push([]);
      if (unit.text === 'OR') phrases.push([]);
      else phrases.at(-1)?.push('or');
      [hasOperand, before] = [false, undefined];
      continue;
    }
    hasOperand = true;
    const node = nodeOf(unit.text);
    if (!node) continue;
    const word = unit.isPhrase || unit.isNegated ? undefined : plainWordIn(unit.text);
    const code = codeOf(before ?? '', word ?? '');
    before = word;
    const own: ListQuery = unit.isNegated ? { kind: 'not', part: node } : node;
    const first = code && parts.at(-1)?.pop();
    parts
      .at(-1)
      ?.push(code && first ? { kind: 'any', parts: [{ kind: 'all', parts: [first, own] }, wordOf(code)] } : own);
    if (!unit.isNegated) phrases.at(-1)?.push(...wordsOf(unit.text));
  }
  const groups = parts.flatMap((group) => joined('all', group) ?? []);
  return { tree: joined('any', groups), phrases: phrases.filter(({ length }) => length > 0) };
}

const isOr = ({ text, isPhrase }: Unit): boolean => !isPhrase && /^or$/i.test(text);

function joined(kind: 'all' | 'any', parts: readonly ListQuery[]): ListQuery | null {
  const [only] = parts;
  return only === undefined || parts.length === 1 ? (only ?? null) : { kind, parts };
}

function unitsOf(text: string): Unit[] {
  const found: Unit[] = [];
  // Where a phrase begins that has a dash in front of it.
  let negated = -1;
  for (const { 0: part, 1: phrase, index } of text.matchAll(units)) {
    if (phrase !== undefined) {
      found.push({ text: phrase, isPhrase: true, isNegated: negated === index });
      continue;
    }
    const [sign] = negation.exec(part) ?? [];
    const rest = part.slice(sign?.length ?? 0);
    if (rest === '') negated = index + part.length;
    else found.push({ text: rest, isPhrase: false, isNegated: sign !== undefined });
  }
  return found;
}

const runsOf = (text: string) => withNames(preparedText(text).prose);
const wordsOf = (text: string): string[] =>
  runsOf(text).flatMap(({ run }) => tokensOf(run).words.map(({ text }) => text));

/** The only word of a text, if no sign belongs to it. */
function plainWordIn(text: string): string | undefined {
  const [first, ...more] = runsOf(text);
  if (!first || more.length > 0) return undefined;
  const { words, whole } = tokensOf(first.run);
  return whole || words.length > 1 ? undefined : words[0]?.text;
}

/** One run, or the phrase of several. */
function nodeOf(text: string): ListQuery | null {
  const runs = runsOf(text);
  const [first, ...more] = runs;
  if (!first) return null;
  if (more.length === 0) return nodeOfRun(first.run);
  const phrase = phraseOf(runs.map(({ run }) => run));
  if (more.length > 1 || first.name === undefined) return phrase;
  return { kind: 'any', parts: [phrase, { kind: 'word', tokens: formsOf(first.name) }] };
}

/** A run with signs stands for its whole, its form, or the phrase of its words. */
function nodeOfRun(run: Run): ListQuery {
  const tokens = tokensOf(run);
  const { words, whole, pairs, signed } = tokens;
  if (!whole) return { kind: 'word', tokens: words.flatMap(same) };
  const exact: ListQuery = { kind: 'word', tokens: wholeTokens(whole).filter(saysTheSame) };
  if (saysAll(run, tokens)) return { kind: 'any', parts: [exact, phraseOf([run])] };
  const parts: ListQuery[] = [exact];
  if (run.atoms.length > 1 && run.atoms.every(isBare)) parts.push(phraseOfAtoms(run));
  // Inside of a longer run.
  if (run.atoms.length > 2 && pairs.length >= run.atoms.length - 1) {
    parts.push({
      kind: 'all',
      parts: [
        ...[...pairs, ...signed].map((token): ListQuery => ({ kind: 'word', tokens: [token] })),
        ...(words.length > 1 ? [phraseOfWords(words)] : []),
      ],
    });
  }
  return joined('any', parts) ?? exact;
}

const isBare = ({ kind, text, bare }: Run['atoms'][number]): boolean => kind !== 'number' && text === bare;

/** Whether the words of a run have all of it but the signs between them. `net` does not say `.NET`, nor `16` all of `v16.4`. */
function saysAll({ atoms }: Run, { words }: RunTokens): boolean {
  if (words.length !== atoms.length) return false;
  return atoms.every(isBare) || (atoms.length === 1 && words[0]?.text === atoms[0]?.text.replaceAll('.', ''));
}

const wordOf = (word: Token): ListQuery => ({ kind: 'word', tokens: same(word) });
const saysTheSame = ({ share }: { readonly share: number }): boolean => share >= sameShare;
const same = (word: Token): Token[] => plainTokens(word, false).filter(saysTheSame);

/** The runs of a phrase, each by its words, or by its whole where these do not have all of it. */
function phraseOf(runs: readonly Run[]): Phrase {
  const words: PhraseWord[] = [];
  let at = 0;
  for (const run of runs) {
    const tokens = tokensOf(run);
    if (tokens.whole && !saysAll(run, tokens)) {
      const { text } = tokens.whole.token;
      const alike = wholeTokens(tokens.whole).filter(saysTheSame);
      words.push({
        at,
        tokens: alike.map((token) => weighed(token, token.stemmed && token.text !== text ? 'A' : 'B')),
      });
    } else {
      words.push(...phraseOfWords(tokens.words).words.map((word) => ({ ...word, at: at + word.at })));
    }
    at += Math.max(1, tokens.words.length);
  }
  return { kind: 'phrase', words, isStrict: false };
}

const phraseOfWords = (words: readonly Token[], isStrict = false): Phrase => ({
  kind: 'phrase',
  words: words.map((word, at) => ({ at, tokens: same(word).map((token) => weighed(token, 'A')) })),
  isStrict,
});

/** `R D` for `R&D`, whose letters are no words as long as they are in the run. */
const phraseOfAtoms = ({ atoms }: Run): Phrase =>
  phraseOfWords(
    atoms.map(({ bare }) => wordToken(lowered(bare))),
    true,
  );

const weighed = (token: Token, weight: Weight) => ({
  ...token,
  weight: token.mark === 'form' ? ('D' as const) : weight,
});
