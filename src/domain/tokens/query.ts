import { foldedOrSame, withNames } from './cut.js';
import { isEmojiWord, preparedText } from './text.js';
import { type RunTokens, tokensOf, type Whole } from './token.js';
import { askedBeginning, foldedOf, formToken, lowered, type Token, withoutV, wordToken } from './word.js';

/**
 * A word of a query, as the tokens that stand for it in texts. Of these the best one counts in a memory.
 */
export interface TokenClass {
  /** As it was written in the query, in lower case. */
  readonly word: string;
  /** From 0 to 1: how much the class counts beside the other classes of the query. */
  readonly share: number;
  /** The distinct tokens, each with its share of a hit by the word itself. */
  readonly tokens: readonly Shared[];
  /** Whether this is a word of letters that is no part of a run with signs: words that are spelt alike are looked for. */
  readonly plain: boolean;
}

export interface Shared extends Token {
  readonly share: number;
}

/** The least share of a token that says the same as the word. */
export const sameShare = 0.95;
/** A form that is nearly the word, the beginning of a longer code, a part of a run, and a part of a code such as `LH456`. */
const shares = { form: sameShare, beginning: 0.8, part: 0.6, code: 0.4 } as const;

/** The classes of a query in the order of its words, each once. */
export function classesOf(query: string): TokenClass[] {
  const { prose } = preparedText(query);
  const classes: TokenClass[] = [];
  let before = '';
  for (const { run, name } of withNames(prose)) {
    const tokens = tokensOf(run);
    classes.push(...(tokens.whole ? ofRun(tokens, tokens.whole) : ofWord(tokens)));
    if (name !== undefined) classes.push(asClass(name, shares.part, formsOf(name)));
    const [word] = tokens.whole ? [] : tokens.words;
    if (word) classes.push(...ofCode(before, word.text));
    before = word?.text ?? '';
  }
  return distinct(classes);
}

/** A word without signs, and its camelCase parts. */
function ofWord({ words, camelParts }: RunTokens): TokenClass[] {
  return [
    ...words.map((word) => ({ ...plainClass(word, 1), plain: true })),
    ...camelParts.map((part) => plainClass(part, shares.part)),
  ];
}

/** A run with signs: the whole, and beside it its parts, whether or not a memory has the whole. */
function ofRun({ words, signed, pairs, camelParts }: RunTokens, whole: Whole): TokenClass[] {
  return [
    asClass(whole.token.text, 1, wholeTokens(whole)),
    ...[...words, ...signed, ...pairs, ...camelParts].map((part) => plainClass(part, shares.part)),
  ];
}

/** A run with signs and what stands for all of it in texts. */
export function wholeTokens(whole: Whole): Shared[] {
  const exact = [whole.token, ...foldedOf(whole.token)];
  const joined = whole.joined === undefined ? [] : plainTokens(wordToken(whole.joined), whole.isCode);
  return [
    { ...whole.token, share: 1 },
    ...[
      formToken(whole.token),
      ...exact.slice(1),
      ...exact.slice(1).map(formToken),
      ...(whole.bare ? [whole.bare] : []),
    ].map(nearly),
    ...joined.map((token) => ({ ...token, share: Math.min(shares.form, token.share) })),
  ];
}

const nearly = (token: Token): Shared => ({ ...token, share: shares.form });

const plainClass = (word: Token, share: number): TokenClass => asClass(word.text, share, plainTokens(word, true));

/** A word and what stands for it in texts. */
export function plainTokens(word: Token, mayBeCode: boolean): Shared[] {
  const folded = foldedOf(word);
  const alike = [formToken(word), ...folded, ...folded.map(formToken), ...withoutV(word)].map(nearly);
  const beginnings = mayBeCode ? askedBeginning(word.text).map((token) => ({ ...token, share: shares.beginning })) : [];
  return [{ ...word, share: 1 }, ...alike, ...beginnings];
}

/** `obrien` for `O'Brien`, which texts store as a form or as a word. */
export const formsOf = (name: string): Shared[] =>
  foldedOrSame(name).flatMap((form) => [
    { ...formToken(form), share: 1 },
    { ...form, share: shares.form },
  ]);

/** `LH456` for the words `LH` and `456` one after the other; undefined for others. */
export const codeOf = (before: string, word: string): Token | undefined =>
  /^\d{1,8}$/.test(word) && /^\p{L}{1,5}$/u.test(before) ? wordToken(`${before}${word}`) : undefined;

/** `LH456` for `LH 456`, and `LH` and `456` beside `LH456`. */
function ofCode(before: string, word: string): TokenClass[] {
  const code = codeOf(before, word);
  if (code) return [plainClass(code, 1)];
  if (isEmojiWord(word)) return [];
  const [, letters, digits] = /^(\p{L}{1,5})(\d{1,8})$/u.exec(word) ?? [];
  return [letters, digits].flatMap((part) =>
    part === undefined ? [] : [plainClass(wordToken(lowered(part)), shares.code)],
  );
}

const keyOf = ({ mark, text }: Token): string => `${mark} ${text}`;

function asClass(word: string, share: number, tokens: readonly Shared[]): TokenClass {
  const best = new Map<string, Shared>();
  for (const token of tokens) {
    const known = best.get(keyOf(token));
    if (!known || known.share < token.share) best.set(keyOf(token), token);
  }
  return { word, share, tokens: [...best.values()], plain: false };
}

/** Two classes with the same tokens count once, with the greater share. */
function distinct(classes: readonly TokenClass[]): TokenClass[] {
  const found = new Map<string, TokenClass>();
  for (const one of classes) {
    const key = one.tokens.map(keyOf).sort().join('\n');
    const known = found.get(key);
    if (!known) found.set(key, one);
    else found.set(key, { ...known, share: Math.max(known.share, one.share), plain: known.plain || one.plain });
  }
  return [...found.values()];
}
