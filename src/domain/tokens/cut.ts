import { wordTokens } from './known-words.js';
import { eachRun, type Run, runsOf } from './runs.js';
import { preparedText } from './text.js';
import { type RunTokens, tokensOf, type Whole } from './token.js';
import { beginningsOf, foldedOf, formToken, lowered, type Token, wordToken } from './word.js';

/** A token with the position of its word in the text, from 1. */
export interface Placed extends Token {
  readonly position: number;
  /** Whether the length of the memory counts it. */
  readonly counts: boolean;
  /** Whether it is a run as it was written, and no word. */
  readonly isWhole: boolean;
}

/** Takes a token with its position, whether the length of the memory counts it, and whether it is a run and no word. */
export type TakeToken = (token: Token, position: number, counts: boolean, isWhole: boolean) => void;

/**
 * Hands over the tokens of a text, for the index. The time is linear in the length of the text, and so is the number of tokens. They
 * are handed over and not yielded, because the objects of iterators were a third of the garbage of indexing.
 */
export function eachToken(text: string, take: TakeToken): void {
  const { prose, after } = preparedText(text);
  const next = eachTokenOf(prose, 1, take);
  if (after !== '') eachTokenOf(after, next, take);
}

export function tokensOfText(text: string): Placed[] {
  const tokens: Placed[] = [];
  eachToken(text, ({ text, mark, stemmed }, position, counts, isWhole) => {
    // Each member is named: copying a token with `...` took half of the time of cutting.
    tokens.push({ text, mark, stemmed, position, counts, isWhole });
  });
  return tokens;
}

/** @returns the position behind the last word */
function eachTokenOf(text: string, first: number, take: TakeToken): number {
  let position = first;
  let last: Run | undefined;
  const end = (next: Run | undefined) => {
    if (last) position = takeRun(last, next && nameOf(text, last, next), { position, take });
    last = next;
  };
  eachRun(text, end);
  end(undefined);
  return position;
}

/** @returns the position of the next word */
function takeRun(
  run: Run,
  name: string | undefined,
  { position, take }: { readonly position: number; readonly take: TakeToken },
): number {
  const [only] = run.atoms;
  if (run.isWord && only && name === undefined) {
    const { token, camelParts, forms } = wordTokens(only.bare);
    take(token, position, true, false);
    for (const part of camelParts) take(part, position, false, false);
    for (const form of forms) take(form, position, false, false);
    return position + 1;
  }
  const tokens = tokensOf(run);
  let at = position;
  for (const word of tokens.words) {
    take(word, at, true, false);
    at += 1;
  }
  if (tokens.whole) take(tokens.whole.token, position, true, true);
  for (const token of besides(tokens, name)) take(token, position, false, false);
  return Math.max(at, position + 1);
}

/** Everything with the position of the first word of its run: all tokens but its words and its whole. */
function besides({ whole, signed, pairs, camelParts, forms }: RunTokens, name: string | undefined): readonly Token[] {
  const ofName = name === undefined ? [] : foldedOrSame(name).map(formToken);
  if (whole) return [...signed, ...pairs, ...camelParts, ...forms, ...besidesWhole(whole), ...ofName];
  return forms.length + ofName.length === 0 ? camelParts : [...camelParts, ...forms, ...ofName];
}

const besidesWhole = ({ token, bare, joined, isCode }: Whole): Token[] => [
  ...(bare ? [bare] : []),
  ...foldedOf(token).map(formToken),
  ...(joined === undefined ? [] : foldedOrSame(joined).map(formToken)),
  ...(isCode && joined !== undefined ? beginningsOf(joined) : []),
];

/** The folded forms of a word that is stored as a form only, or the word itself if it has no letter to fold. */
export function foldedOrSame(text: string): Token[] {
  const word = wordToken(text);
  const folded = foldedOf(word);
  return folded.length === 0 ? [word] : folded;
}

const apostrophe = /^['’ʼ]$/;

interface NamedRun {
  readonly run: Run;
  readonly name: string | undefined;
}

/** The runs of a text, with the name that one with a letter or two begins: `obrien` at the `O` of `O'Brien`. */
export function withNames(text: string): NamedRun[] {
  const runs = runsOf(text);
  return runs.map((run, i) => {
    const next = runs[i + 1];
    return { run, name: next && nameOf(text, run, next) };
  });
}

function nameOf(text: string, { atoms, end }: Run, { atoms: [next], from }: Run): string | undefined {
  // Most runs have a space behind them, so this is asked first.
  if (from !== end + 1 || atoms.length > 1 || !apostrophe.test(text.charAt(end))) return undefined;
  const [only] = atoms;
  if (!only || !next || !/^\p{L}{1,2}$/u.test(only.text) || !/^\p{L}{3,}$/u.test(next.text)) return undefined;
  return lowered(`${only.text}${next.text}`).slice(0, 64);
}
