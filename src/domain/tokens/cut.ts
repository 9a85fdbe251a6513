import { type Run, runsOf } from './runs.js';
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

/** The tokens of a text, for the index. The time is linear in the length of the text, and so is the number of tokens. */
export function* tokensOfText(text: string): Iterable<Placed> {
  let position = 1;
  const { prose, after } = preparedText(text);
  for (const part of [prose, after]) {
    for (const { run, name } of withNames(part)) {
      const tokens = tokensOf(run);
      let at = position;
      for (const word of tokens.words) {
        yield placed(word, at, true, false);
        at += 1;
      }
      if (tokens.whole) yield placed(tokens.whole.token, position, true, true);
      for (const token of besides(tokens, name)) yield placed(token, position, false, false);
      position = Math.max(at, position + 1);
    }
  }
}

/** Each member is named: copying a token with `...` took half of the time of cutting. */
const placed = ({ text, mark, stemmed }: Token, position: number, counts: boolean, isWhole: boolean): Placed => ({
  text,
  mark,
  stemmed,
  position,
  counts,
  isWhole,
});

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

/** The runs of a text, with the name that one with a letter or two begins: `obrien` at the `O` of `O'Brien`. */
export function* withNames(text: string): Iterable<{ readonly run: Run; readonly name: string | undefined }> {
  let last: Run | undefined;
  for (const run of runsOf(text)) {
    if (last) yield { run: last, name: nameOf(text, last, run) };
    last = run;
  }
  if (last) yield { run: last, name: undefined };
}

function nameOf(text: string, { atoms: [only, ...more], end }: Run, { atoms: [next], from }: Run): string | undefined {
  if (more.length > 0 || !only || !next || from !== end + 1 || !apostrophe.test(text.charAt(end))) return undefined;
  if (!/^\p{L}{1,2}$/u.test(only.text) || !/^\p{L}{3,}$/u.test(next.text)) return undefined;
  return lowered(`${only.text}${next.text}`).slice(0, 64);
}
