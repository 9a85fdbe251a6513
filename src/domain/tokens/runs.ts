import { nextSpan } from './spans.js';

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
  /** Whether it is one word of letters without signs. */
  readonly isWord: boolean;
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

/** Longer runs are cut. */
const mostAtoms = 32;

const letterOrDigit = '\\p{L}\\p{M}\\p{N}';
/** Two dots are an ellipsis or a range, and two dashes are a dash or an option: they stand between words. */
const doubled = /\.{2,}|-{2,}/g;
const scheme = /^\p{L}[\p{L}0-9+.-]{0,20}(?=:\/\/)/u;

const hex = '[0-9a-fA-F]';
const atoms = new RegExp(
  [
    `((?<![${letterOrDigit}])${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}(?![${letterOrDigit}]))`,
    `((?<![${letterOrDigit}])-?[vV]?\\d{1,15}(?:\\.\\d{1,15}){1,7}(?![\\p{M}\\p{N}]))`,
    `(?:(?:(?<![${letterOrDigit}])(?:\\.(?=\\p{L})|-(?=\\d)))?[${letterOrDigit}]+` +
      `(?:\\+\\+(?!\\p{L})|[+#](?![${letterOrDigit}]))?)`,
  ].join('|'),
  'gu',
);
/** Digits with the letters of a unit behind them, and no ordinal number of English such as `3rd`. */
const withUnit = /^(-?\d+)(?!(?:st|nd|rd|th)$)(\p{L}{1,4})$/iu;
const wordSigns = /^[.-]|[+#]+$/g;
const numberSigns = /^-?v?/i;

/** Hands over the runs of a text that hold a letter or digit, in order. The time is linear in the length of the text. */
export function eachRun(text: string, take: (run: Run) => void): void {
  for (let span = nextSpan(text, 0); span; span = nextSpan(text, span.end)) {
    const { from, end, word } = span;
    if (word) take(runOfWord(text.slice(word.from, word.end), word.from));
    else for (const part of partsOf(text.slice(from, end), from)) for (const run of cut(part)) take(run);
  }
}

export function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  eachRun(text, (run) => runs.push(run));
  return runs;
}

/** Of LoCoMo's runs, 86 of 100 are a word of letters, which needs none of the expressions above. */
const runOfWord = (word: string, from: number): Run => ({
  atoms: [{ kind: 'word', text: word, bare: word, sign: '', unit: false }],
  from,
  end: from + word.length,
  isWord: true,
});

interface Part {
  readonly text: string;
  readonly from: number;
}

/** The parts between doubled signs. A scheme such as `https` in front of `://` is a part of its own. */
function partsOf(text: string, from: number): Iterable<Part> {
  const isOne = !text.includes('..') && !text.includes('--') && !text.includes('://');
  return isOne ? [{ text, from }] : severalParts(text, from);
}

function* severalParts(text: string, from: number): Iterable<Part> {
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
    const sign = found.length === 0 || match.index === end ? '' : signOf(text.charAt(match.index - 1));
    if (found.length === 0) start = match.index;
    for (const atom of atomsOf(match, sign)) {
      if (found.length === mostAtoms) {
        yield { atoms: found, from: from + start, end: from + end, isWord: false };
        [found, start] = [[], match.index];
      }
      found.push(found.length === 0 ? { ...atom, sign: '' } : atom);
    }
    end = match.index + match[0].length;
  }
  if (found.length > 0) yield { atoms: found, from: from + start, end: from + end, isWord: false };
}

function signOf(written: string): string {
  if (written === '\\') return '/';
  return written === '_' ? '-' : written;
}

const digitInFront = /^-?\d/;

function atomsOf([text, uuid, number]: RegExpMatchArray, sign: string): Atom[] {
  if (text === undefined) return [];
  if (uuid !== undefined) {
    return [{ kind: 'uuid', text: text.replaceAll('-', ''), bare: text.replaceAll('-', ''), sign, unit: false }];
  }
  if (number !== undefined) {
    return [{ kind: 'number', text, bare: text.replace(numberSigns, ''), sign, unit: false }];
  }
  const [, digits, letters] = (digitInFront.test(text) && withUnit.exec(text)) || [];
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
