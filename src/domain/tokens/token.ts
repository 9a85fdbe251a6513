import { foldedForms } from './folding.js';
import type { Atom, Run } from './runs.js';

/** A token as the index stores it, but for stems, which the text configuration of the namespace decides. */
export interface Token {
  /** In lower case. */
  readonly text: string;
  /** `form` is stored with `≈` before it and `beginning` with `…` behind it, so that neither is taken for a word. */
  readonly mark: 'none' | 'form' | 'beginning';
  /** Whether the text configuration stems it, or leaves it out as a stop word. */
  readonly stemmed: boolean;
}

/** The tokens of one run: those that the length of a memory counts, and all others beside them. */
export interface RunTokens {
  /** The words in order; each has a position of its own. */
  readonly words: readonly Token[];
  /** The run as it was written, if it has more than one atom or a sign. */
  readonly whole: Whole | undefined;
  /** Atoms with signs, and numbers. */
  readonly signed: readonly Token[];
  /** Two neighbouring atoms with their sign, and the beginnings of numbers. */
  readonly pairs: readonly Token[];
  readonly camelParts: readonly Token[];
}

export interface Whole {
  readonly token: Token;
  /** The atoms without their signs, where people write them with and without: `signin` for `sign-in`. */
  readonly joined: string | undefined;
  /** Whether the joined atoms may be a code, of which beginnings are stored. */
  readonly isCode: boolean;
  /** A number without `v` or `-`. */
  readonly bare: Token | undefined;
}

/** The longest text of each token, in characters. A longer word is cut, a longer pair or form is not made. */
export const longest = 64;

/** `İ` would become two characters otherwise. */
export const lowered = (text: string): string => text.replaceAll('İ', 'i').toLowerCase();

const onlyLetters = /^[\p{L}\p{M}]+$/u;
const plain = (text: string): Token => ({ text, mark: 'none', stemmed: false });
/** Only words of letters go through the stemmer; those with digits stay as they are. */
export const wordToken = (text: string): Token => ({ text, mark: 'none', stemmed: onlyLetters.test(text) });

/** The tokens of a run, without forms and beginnings. */
export function tokensOf({ atoms }: Run): RunTokens {
  const [first] = atoms;
  const single = atoms.length === 1 && first !== undefined && first.text === first.bare && first.kind !== 'number';
  const whole = single ? undefined : wholeOf(atoms);
  const several = atoms.length > 1;
  return {
    words: atoms.flatMap((atom) => wordOf(atom, atoms)),
    whole,
    signed: several ? atoms.flatMap(signedOf) : [],
    pairs: [...(atoms.length > 2 ? neighbours(atoms) : []), ...atoms.flatMap(beginningsOfNumber)],
    camelParts: atoms.flatMap(camelPartsOf),
  };
}

/** `1.250.000`, where the dots may separate thousands. */
const thousands = /^\d{1,3}(?:\.\d{3})+$/;

function wordOf(atom: Atom, { length }: readonly Atom[]): Token[] {
  const single = length === 1 && atom.text === atom.bare && atom.kind !== 'number';
  if (!single && [...atom.bare.slice(0, 4)].length < 2 && !atom.unit) return [];
  if (atom.kind !== 'number') return [wordToken(first(lowered(atom.bare)))];
  if (length === 1 && thousands.test(atom.text)) return [wordToken(first(atom.bare.replaceAll('.', '')))];
  return [wordToken(atom.bare.slice(0, atom.bare.indexOf('.')))];
}

function first(text: string): string {
  if (text.length <= longest) return text;
  return [...text.slice(0, 2 * longest)].slice(0, longest).join('');
}

function wholeOf(atoms: readonly Atom[]): Whole {
  const text = lowered(atoms.map(({ sign, text }) => `${sign}${text}`).join(''));
  const [only] = atoms;
  const joined = joinedOf(atoms);
  return {
    token: plain(text),
    joined,
    isCode: joined !== undefined && atoms.every(({ bare }) => bare.length <= 5 || /\d/.test(bare)),
    bare: atoms.length === 1 && only?.kind === 'number' && only.bare !== text ? plain(only.bare) : undefined,
  };
}

/** Of two to six atoms that are written with dashes or nothing between them: `sign-in`, `BX-100821`, `Next.js`, `U.S`. */
function joinedOf(atoms: readonly Atom[]): string | undefined {
  if (atoms.length < 2 || atoms.length > 6) return undefined;
  if (atoms.some(({ kind, text, bare }) => kind !== 'word' || text !== bare)) return undefined;
  const isLoose = ({ sign, text }: Atom, i: number) =>
    i === 0 ||
    sign === '-' ||
    sign === '' ||
    (sign === '.' && (/^js$/i.test(text) || (isLetter(text) && isLetter(atoms[i - 1]?.text ?? ''))));
  if (!atoms.every(isLoose)) return undefined;
  const joined = lowered(atoms.map(({ text }) => text).join(''));
  if (/^\d{1,6}$/.test(joined) || joined.length > longest) return undefined;
  return joined;
}

const isLetter = (text: string): boolean => /^\p{L}\p{M}*$/u.test(text);

function signedOf({ text, bare, kind }: Atom): Token[] {
  if (kind === 'uuid' || (kind === 'word' && text === bare)) return [];
  const written = lowered(text);
  return kind === 'number' && bare !== written ? [plain(written), plain(bare)] : [plain(written)];
}

function neighbours(atoms: readonly Atom[]): Token[] {
  return atoms.slice(1).flatMap(({ sign, text }, i) => {
    const pair = lowered(`${atoms[i]?.text}${sign}${text}`);
    return pair.length > longest ? [] : [plain(pair)];
  });
}

/** `16.4` of `16.4.2`. */
function beginningsOfNumber({ kind, bare }: Atom): Token[] {
  if (kind !== 'number' || thousands.test(bare)) return [];
  const groups = bare.split('.');
  return groups.slice(2).map((_, i) => plain(groups.slice(0, i + 2).join('.')));
}

const camelCuts = new RegExp(
  ['(?<=\\p{Ll}\\p{M}*)(?=\\p{Lu})', '(?<=\\d)(?=\\p{Lu}\\p{M}*\\p{Ll})', '(?<=\\p{Lu})(?=\\p{Lu}\\p{Ll}{2})'].join(
    '|',
  ),
  'u',
);

function camelPartsOf({ kind, bare }: Atom): Token[] {
  if (kind !== 'word') return [];
  const parts = bare.slice(0, 2 * longest).split(camelCuts);
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
