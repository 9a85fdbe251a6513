/**
 * A run is a span of text without spaces that people read as one thing: a word, a path, an address, a version. It is cut
 * into atoms, with the signs between them.
 */
export interface Run {
  readonly atoms: readonly Atom[];
  /** Where the run begins in the text. */
  readonly from: number;
  /** Where its last atom ends. */
  readonly end: number;
}

export interface Atom {
  readonly kind: 'word' | 'number' | 'uuid';
  /** As it was written, with its own signs: `.net`, `C++`, `-12`, `v16.4.2`. */
  readonly text: string;
  /** Without its own signs, and without the dashes of a UUID. The dots of a number stay. */
  readonly bare: string;
  /** The last sign between the atom before and this one, `` for none. `\` is `/`, and `_` is `-`. */
  readonly sign: string;
  /** Whether this is a number with the letters of a unit behind it, as in `40GB`. */
  readonly unit: boolean;
}

/** Longer runs are cut, so that a text gives about one token for each character at most. */
const most = { atoms: 32, characters: 128 } as const;

const letterOrDigit = '\\p{L}\\p{M}\\p{N}';
const runs = new RegExp(`[${letterOrDigit}./\\\\:@_\\-+#&]{1,${most.characters}}`, 'gu');
/** Two dots are an ellipsis or a range, and two dashes are a dash or an option: they stand between words. */
const doubled = /\.{2,}|-{2,}/g;
const scheme = /^\p{L}[\p{L}0-9+.-]{0,20}(?=:\/\/)/u;

const hex = '[0-9a-fA-F]';
const atoms = new RegExp(
  [
    `(?<uuid>(?<![${letterOrDigit}])${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}(?![${letterOrDigit}]))`,
    `(?<number>(?<![${letterOrDigit}])-?[vV]?\\d{1,15}(?:\\.\\d{1,15}){1,7}(?![\\p{M}\\p{N}]))`,
    `(?<word>(?:(?<![${letterOrDigit}])(?:\\.(?=\\p{L})|-(?=\\d)))?[${letterOrDigit}]+` +
      `(?:\\+\\+(?!\\p{L})|[+#](?![${letterOrDigit}]))?)`,
  ].join('|'),
  'gu',
);
/** Digits with the letters of a unit behind them, and no ordinal number of English such as `3rd`. */
const withUnit = /^(-?\d+)(?!(?:st|nd|rd|th)$)(\p{L}{1,4})$/iu;
const wordSigns = /^[.-]|[+#]+$/g;
const numberSigns = /^-?v?/i;

/** The runs of a text that hold a letter or digit, in order. The time is linear in the length of the text. */
export function* runsOf(text: string): Iterable<Run> {
  for (const match of text.matchAll(runs)) {
    for (const part of partsOf(match[0], match.index)) yield* cut(part);
  }
}

interface Part {
  readonly text: string;
  readonly from: number;
}

/** The parts between doubled signs. A scheme such as `https` in front of `://` is a part of its own. */
function* partsOf(text: string, from: number): Iterable<Part> {
  let at = 0;
  for (const { index, 0: signs } of [...text.matchAll(doubled), { index: text.length, 0: '' }]) {
    const part = text.slice(at, index);
    const [name] = scheme.exec(part) ?? [];
    if (name !== undefined) yield { text: name, from: from + at };
    const rest = name?.length ?? 0;
    if (index > at + rest) yield { text: part.slice(rest), from: from + at + rest };
    at = index + signs.length;
  }
}

function* cut({ text, from }: Part): Iterable<Run> {
  let found: Atom[] = [];
  let [start, end] = [0, 0];
  for (const match of text.matchAll(atoms)) {
    const sign = found.length === 0 ? '' : signOf(text.slice(end, match.index));
    if (found.length === 0) start = match.index;
    for (const atom of atomsOf(match, sign)) {
      if (found.length === most.atoms) {
        yield { atoms: found, from: from + start, end: from + end };
        [found, start] = [[], match.index];
      }
      found.push(found.length === 0 ? { ...atom, sign: '' } : atom);
    }
    end = match.index + match[0].length;
  }
  if (found.length > 0) yield { atoms: found, from: from + start, end: from + end };
}

function signOf(between: string): string {
  const last = between.slice(-1);
  if (last === '\\') return '/';
  return last === '_' ? '-' : last;
}

function atomsOf({ 0: text, groups = {} }: RegExpMatchArray, sign: string): Atom[] {
  if (groups.uuid !== undefined) {
    return [{ kind: 'uuid', text: text.replaceAll('-', ''), bare: text.replaceAll('-', ''), sign, unit: false }];
  }
  if (groups.number !== undefined) {
    return [{ kind: 'number', text, bare: text.replace(numberSigns, ''), sign, unit: false }];
  }
  const [, digits, letters] = withUnit.exec(text) ?? [];
  if (digits === undefined || letters === undefined) return [wordAtom(text, sign)];
  return [{ ...wordAtom(digits, sign), unit: true }, wordAtom(letters, '')];
}

const wordAtom = (text: string, sign: string): Atom => ({
  kind: 'word',
  text,
  bare: text.replace(wordSigns, ''),
  sign,
  unit: false,
});
