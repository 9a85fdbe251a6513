import type { Steps } from '../base/steps.js';
import { alikeForms } from './alike-letters.js';
import { pieces, wordsOf } from './words.js';

/** A text in which words, signs and emoji are looked for. */
export interface SearchedText {
  /** Its forms by `alikeForms`. */
  readonly forms: readonly string[];
  /** Each emoji of the text, as it is written and without the colour of a skin. */
  readonly emoji: ReadonlySet<string>;
}

/** A part that a text must have: an emoji, a sign at any place, or a word in one of its forms, with the signs that belong to it. */
type Term = { readonly emoji: string } | { readonly sign: string } | { readonly word: readonly string[] };

/** Scripts without spaces between words. Their words have no boundaries that could be checked. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const isMark = /^\p{M}/u;
const isOfWord = /^[\p{L}\p{N}\p{M}_]/u;

const pictograph = '\\p{Extended_Pictographic}[\\u{1f3fb}-\\u{1f3ff}\\u{e0020}-\\u{e007f}]*';
/** A flag, a key such as 1️⃣, or symbols that are joined into one. A part of one of them is another emoji. */
const emoji = `\\p{Regional_Indicator}{2}|[0-9#*]\\u20e3|${pictograph}(?:\\u200d${pictograph})*`;
const emojis = new RegExp(emoji, 'gu');
const skins = /[\u{1f3fb}-\u{1f3ff}]/gu;

/** Signs of sentences. They belong to no word, but for a comma within a number. */
const separator = '(?<!\\d),|,(?!\\d)|[;!?"()[\\]{}¿¡«»。、「」『』—]';
const parts = new RegExp(`(?<emoji>${emoji})|(?<sign>${separator})|(?:(?!${emoji}|${separator})\\S)+`, 'gu');
/** Signs of sentences at the ends of a part. A dot in front belongs to the word, as in `.NET`. */
const outerSigns = /^([':]*)(.*?)([.':]*)$/su;

/** The pieces of at most 1024 code units that one step converts. It takes two milliseconds. */
const piecesPerStep = 32;

/** A text as `hasTerms` needs it. A MiB of letters with accents takes about 50 ms, so it is made in steps. */
export function* searchedText(content: string): Steps<SearchedText> {
  const [plain, spelled]: [string[], string[]] = [[], []];
  const found = new Set<string>();
  let isSpelled = false;
  for (const group of groupsOf(content)) {
    const [form = '', other] = alikeForms(group);
    plain.push(form);
    spelled.push(other ?? form);
    isSpelled ||= other !== undefined;
    for (const [symbol] of form.matchAll(emojis)) found.add(symbol).add(symbol.replace(skins, ''));
    yield;
  }
  return { forms: isSpelled ? [plain.join(''), spelled.join('')] : [plain.join('')], emoji: found };
}

function* groupsOf(text: string): Iterable<string> {
  let open: string[] = [];
  for (const piece of pieces(text)) {
    open.push(piece);
    if (open.length < piecesPerStep) continue;
    yield open.join('');
    open = [];
  }
  yield open.join('');
}

/**
 * Whether a text has every word, sign and emoji of the wanted text, in any order. Case, accents and what else `alikeForms` makes equal
 * do not count. Signs within a word and at its ends belong to it, so `C#` is not in "C major". A wanted text that has nothing to
 * look for is in no text.
 */
export function hasTerms(text: SearchedText, wanted: string): boolean {
  const terms = termsOf(wanted);
  return terms.length > 0 && terms.every((term) => hasTerm(text, term));
}

function hasTerm({ forms, emoji: found }: SearchedText, term: Term): boolean {
  if ('emoji' in term) return found.has(term.emoji);
  if ('sign' in term) return forms.some((form) => form.includes(term.sign));
  return forms.some((form) => term.word.some((word) => hasWord(form, word)));
}

function termsOf(wanted: string): Term[] {
  const [plain = [], spelled = plain] = alikeForms(wanted).map((form) => [...form.matchAll(parts)]);
  // Both forms have the same parts, because only letters differ.
  return plain.flatMap(({ 0: part, groups }, i) => {
    if (groups?.emoji !== undefined) return [{ emoji: part }];
    if (groups?.sign !== undefined) return [{ sign: part }];
    return wordTerms(part, spelled[i]?.[0] ?? part);
  });
}

function wordTerms(part: string, spelled: string): Term[] {
  const [, before = '', word = '', behind = ''] = outerSigns.exec(part) ?? [];
  const signs = [...before, ...behind].map((sign) => ({ sign }));
  if (word === '') return signs;
  if (!unspaced.test(word)) {
    return [...signs, { word: [word, spelled.slice(before.length, spelled.length - behind.length)] }];
  }
  const inner = Array.from(word.matchAll(/[^\p{L}\p{N}\p{M}_]/gu), ([sign]) => ({ sign }));
  return [...signs, ...inner, ...Array.from(wordsOf(word), (one) => ({ word: [one] }))];
}

function hasWord(text: string, word: string): boolean {
  if (!text.includes(word)) return false;
  const [mayFollow, mayPrecede] = [startOf(word), endOf(word)];
  for (const at of occurrences(text, word)) {
    if (mayFollow(text, at) && mayPrecede(text.slice(at + word.length, at + word.length + 4))) return true;
  }
  return false;
}

/** Whether a word may start at a place. A word starts at no place within another one, and the sign of a number is no dash. */
function startOf(word: string): (text: string, at: number) => boolean {
  if (!isSpaced(word) && !/^[-+]\d/.test(word)) return () => true;
  return (text, at) => {
    let from = at;
    for (let step = 0; step < longestMarks; step += 1) {
      const before = characterBefore(text, from);
      if (!isMark.test(before)) return !isSpaced(before);
      from -= before.length;
    }
    return false;
  };
}

/** The marks of a letter that are looked over. More are no writing of any language. */
const longestMarks = 9;

function characterBefore(text: string, at: number): string {
  const low = text.charAt(at - 1);
  return low >= '\udc00' && low <= '\udfff' ? text.slice(at - 2, at) : low;
}

/** Whether a word may end before these characters. `C` and `C+` do not end before the rest of `C++`, but `C++` does before 20. */
function endOf(word: string): (behind: string) => boolean {
  if (word.endsWith('++')) return (behind) => !/^[+\p{L}]/u.test(behind);
  if (/[+#]$/.test(word)) return (behind) => !/^[+#\p{L}\p{N}\p{M}]/u.test(behind);
  const last = characterBefore(word, word.length);
  if (!isSpaced(last)) return () => true;
  const isOneLetter = /^\p{L}$/u.test(word);
  return (behind) => !isSpaced(behind) && !(isOneLetter && /^[+#]+(?![+#\p{L}\p{N}])/u.test(behind));
}

/** Whether a text begins with a character of a word that has boundaries. */
const isSpaced = (text: string): boolean => isOfWord.test(text) && !unspaced.test(characterAt(text));

const characterAt = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 0);

/**
 * The places at which a text has a part, also where they overlap (Knuth, Morris and Pratt, "Fast pattern matching in strings", 1977).
 * Asking `indexOf` again behind each place needs the product of both lengths for texts such as `ab-ab-ab-`.
 */
function* occurrences(text: string, part: string): Iterable<number> {
  if (part === '') return;
  const borders = bordersOf(part);
  let same = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (same > 0 && part.charCodeAt(same) !== code) same = borders[same - 1] ?? 0;
    if (part.charCodeAt(same) === code) same += 1;
    if (same < part.length) continue;
    yield at - part.length + 1;
    same = borders[same - 1] ?? 0;
  }
}

/** For each beginning of a text, the length of its longest border: what it both starts and ends with, without the whole. */
function bordersOf(text: string): number[] {
  const borders = [0];
  let same = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (same > 0 && text.charCodeAt(at) !== text.charCodeAt(same)) same = borders[same - 1] ?? 0;
    if (text.charCodeAt(at) === text.charCodeAt(same)) same += 1;
    borders.push(same);
  }
  return borders;
}
