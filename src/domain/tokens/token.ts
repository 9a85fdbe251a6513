import { formsOf, type WordTokens, wordTokens } from './known-words.js';
import type { Atom, Run } from './runs.js';
import { first, longest, lowered, plain, type Token, wordToken } from './word.js';

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
  /** The forms of the words, and the beginnings of those that are codes. */
  readonly forms: readonly Token[];
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

/** The tokens of a run, without the forms of the whole. */
export function tokensOf({ atoms, isWord }: Run): RunTokens {
  const [only] = atoms;
  if (isWord && only) return tokensOfWord(wordTokens(only.bare));
  const several = atoms.length > 1;
  const words = atoms.flatMap((atom) => wordOf(atom, several));
  return {
    words: words.map(({ token }) => token),
    whole: !several && only && isPlain(only) ? undefined : wholeOf(atoms),
    signed: several ? atoms.flatMap(signedOf) : [],
    pairs: [...(atoms.length > 2 ? neighbours(atoms) : []), ...atoms.flatMap(beginningsOfNumber)],
    camelParts: atoms.flatMap(({ kind, bare }) => (kind === 'word' ? wordTokens(bare).camelParts : [])),
    forms: words.flatMap(({ forms }) => forms),
  };
}

const none: readonly Token[] = [];
const tokensOfWord = ({ token, camelParts, forms }: WordTokens): RunTokens => ({
  words: [token],
  whole: undefined,
  signed: none,
  pairs: none,
  camelParts,
  forms,
});

const isPlain = ({ kind, text, bare }: Atom): boolean => kind !== 'number' && text === bare;

/** `1.250.000`, where the dots may separate thousands. */
const thousands = /^\d{1,3}(?:\.\d{3})+$/;

/** @param several whether the run has more atoms than this one */
function wordOf(atom: Atom, several: boolean): Pick<WordTokens, 'token' | 'forms'>[] {
  const { kind, text, bare, unit } = atom;
  if ((several || !isPlain(atom)) && isOneCharacter(bare) && !unit) return [];
  if (kind === 'word') return [wordTokens(bare)];
  if (kind === 'uuid') return [withForms(wordToken(lowered(bare)))];
  const number = !several && thousands.test(text) ? bare.replaceAll('.', '') : bare.slice(0, bare.indexOf('.'));
  return [withForms(wordToken(first(number)))];
}

const isOneCharacter = (text: string): boolean =>
  text.length < 2 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);
const withForms = (token: Token) => ({ token, forms: formsOf(token) });

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
