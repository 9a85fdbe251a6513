import { foldedForms } from './folding.js';

/** A token as the index stores it, but for stems, which the text configuration of the namespace decides. */
export interface Token {
  /** In lower case. */
  readonly text: string;
  /** `form` is stored with `≈` before it and `beginning` with `…` behind it, so that neither is taken for a word. */
  readonly mark: 'none' | 'form' | 'beginning';
  /** Whether the text configuration stems it, or leaves it out as a stop word. */
  readonly stemmed: boolean;
}

/** The longest text of each token, in characters. A longer word is cut, a longer pair or form is not made. */
export const longest = 64;

/** `İ` would become two characters otherwise. */
export const lowered = (text: string): string => text.replaceAll('İ', 'i').toLowerCase();

const onlyLetters = /^[\p{L}\p{M}]+$/u;
export const plain = (text: string): Token => ({ text, mark: 'none', stemmed: false });
/** Only words of letters go through the stemmer; those with digits stay as they are. */
export const wordToken = (text: string): Token => ({ text, mark: 'none', stemmed: onlyLetters.test(text) });

/** The token that is stored for a form of a word. */
export const formToken = ({ text, stemmed }: Token): Token => ({ text, mark: 'form', stemmed });

/** A word as far as it is stored. */
export function first(text: string): string {
  if (text.length <= longest) return text;
  return [...text.slice(0, 2 * longest)].slice(0, longest).join('');
}

const camelCuts = new RegExp(
  ['(?<=\\p{Ll}\\p{M}*)(?=\\p{Lu})', '(?<=\\d)(?=\\p{Lu}\\p{M}*\\p{Ll})', '(?<=\\p{Lu})(?=\\p{Lu}\\p{Ll}{2})'].join(
    '|',
  ),
  'u',
);

/** A capital that is not the first character: without one there is nothing to cut. */
const capitalInside = /(?!^)\p{Lu}/u;

/** `keep`, `Alive` and `Timeout` of `keepAliveTimeout`. */
export function camelPartsOf(written: string): Token[] {
  if (!capitalInside.test(written)) return [];
  const parts = written.slice(0, 2 * longest).split(camelCuts);
  if (parts.length === 1) return [];
  return parts
    .filter((part) => (part.match(/\p{L}/gu)?.length ?? 0) >= 3)
    .map((part) => wordToken(first(lowered(part))));
}

/** The forms of a word in which accents, `ß` and the like are written in another way; none if it has no such letter. */
export const foldedOf = (token: Token): Token[] =>
  token.text.length > longest
    ? []
    : foldedForms(token.text)
        .filter((form) => form !== token.text)
        .map((text) => ({ text, mark: token.mark, stemmed: token.stemmed }));

/** `16` of `v16`. */
export const withoutV = ({ text }: Token): Token[] => (/^v\d+$/.test(text) ? [plain(text.slice(1))] : []);

const storedLengths = [6, 7, 8, 9, 10, 11, 12, 16, 20, 24, 32] as const;
const onlyDigits = /^\d+$/;

/** Of which lengths the beginnings of a code are stored: at least 6 characters with letters and digits, or 7 digits. */
function lengthsOf(code: string): readonly number[] {
  if (onlyDigits.test(code)) return code.length < 7 ? [] : storedLengths.slice(1);
  return /^(?=.*[a-z])(?=.*\d)[a-z0-9]{6,}$/.test(code) && !/^emo[0-9a-f]/.test(code) ? storedLengths : [];
}

const beginning = (text: string): Token => ({ text, mark: 'beginning', stemmed: false });

/** The beginnings that are stored of a code, so that one of them finds it: `a94a8f…`. */
export const beginningsOf = (code: string): Token[] =>
  lengthsOf(code)
    .filter((length) => length < code.length)
    .map((length) => beginning(code.slice(0, length)));

/** The token for which a code of a query asks: the longest beginning that longer codes have stored. */
export function askedBeginning(code: string): Token[] {
  const length = lengthsOf(code).findLast((one) => one <= code.length);
  return length === undefined ? [] : [beginning(code.slice(0, length))];
}
