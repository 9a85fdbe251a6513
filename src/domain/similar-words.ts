/** Compares a word with others. */
interface Similarity {
  /** How similar another word is, from 0 to 1. */
  shareOf(other: string): number;
  /**
   * False only for words that are not similar. Most words are passed over by that.
   * @param letters of the word, as `lettersOf` gives them
   * @param first the code of its first character
   */
  mayBeSimilar(letters: number, first: number): boolean;
}

/**
 * Compares a word that no memory has with words that memories have. They may be written without accents, misspelt by one
 * letter, have another ending, or be a part of a compound. This knows no language, so it may find a word of another meaning,
 * and a similar word counts less than an equal one.
 */
export function similarTo(word: string): Similarity {
  const least = leastLength(word);
  const ending = longestEnding(word);
  const mayBeMisspelt = !characters.test(word);
  const own = lettersOf(word);
  const mayBeSimilar = (letters: number, first: number) => {
    if ((own & ~letters) === 0 || (letters & ~own) === 0) return true;
    // A wrong letter and the right one differ, or the letters of two endings behind the same beginning.
    const different = bitsOf(own ^ letters);
    return different <= 2 || (different <= 2 * ending && first === word.charCodeAt(0));
  };
  const shareOf = (other: string) => {
    if (word === other) return shares.accents;
    const longest = Math.max(word.length, other.length);
    if (word.length < least || other.length < least) return 0;
    const prefix = commonPrefix(word, other);
    if (mayBeMisspelt && isOneEdit(word, other, prefix)) return shares.misspelt;
    if (prefix >= least && longest - prefix <= ending && 2 * prefix >= longest) {
      return (shares.ending * (prefix + longest)) / (2 * longest);
    }
    if (word.length < other.length) return partOf(word, other, least);
    return other.length > least ? partOf(other, word, least + 1) * shares.reversed : 0;
  };
  return { shareOf, mayBeSimilar };
}

/**
 * The letters of a word as a set of 32 bits, in which the last five bits of a character are the number of its bit. Of two similar words
 * one has all letters of the other one, or few letters differ. Different letters may have the same bit.
 */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i += 1) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

/** The number of bits that are set, added up in pairs, in fours and in bytes. */
function bitsOf(set: number): number {
  const pairs = set - ((set >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const shares = { accents: 0.9, misspelt: 0.7, ending: 0.7, part: 0.5, reversed: 0.7 } as const;

const consonants = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** In these scripts a syllable is a consonant and signs that follow it. */
const syllables =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const characters = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Shorter words are only equal or different. */
function leastLength(word: string): number {
  if (characters.test(word)) return 1;
  return consonants.test(word) || syllables.test(word) ? 3 : 4;
}

const longestEnding = (word: string): number => (syllables.test(word) ? 5 : 3);

/** `part` within `whole`, which then is a compound or has another beginning. In the middle it must be longer. */
function partOf(part: string, whole: string, least: number): number {
  if (part.length < least || part.length >= whole.length) return 0;
  const at = whole.indexOf(part);
  if (at < 0) return 0;
  const isAtBorder = at === 0 || whole.endsWith(part);
  return isAtBorder || part.length > least ? (shares.part * (whole.length + part.length)) / (2 * whole.length) : 0;
}

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

/** The least length of a word in which one letter may be wrong, and of one whose first letter may be wrong. */
const [leastMisspelt, leastFirst] = [5, 7];

/**
 * Whether one letter too many, too few or wrong, or two adjacent letters in the wrong order make one word of the other one
 * (Damerau, "A technique for computer detection and correction of spelling errors", 1964).
 */
export function isOneEdit(word: string, other: string, at = commonPrefix(word, other)): boolean {
  // Most words differ by more. Nothing is allocated for them.
  if (Math.abs(word.length - other.length) > 1) return false;
  if (at === 0 && word.length < leastFirst) return false;
  // In a short word, one letter more is the only mistake that is likely.
  if (word.length < leastMisspelt && other.length <= word.length) return false;
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  const more = long.length - short.length;
  const tail = commonSuffix(short, long, at);
  const differ = short.length - at - tail;
  if (more === 1) return differ === 0;
  return differ === 1 || (differ === 2 && short[at] === long[at + 1] && short[at + 1] === long[at]);
}

function commonSuffix(a: string, b: string, from: number): number {
  let length = 0;
  while (length < a.length - from && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) {
    length += 1;
  }
  return length;
}

/** A word without accents and other marks. */
export const bareWord = (word: string): string =>
  /^[a-z]*$/.test(word)
    ? word
    : word
        .normalize('NFD')
        .replace(/(?<=\p{Script=Latin}|\p{Script=Greek})\p{Mn}+/gu, '')
        .normalize('NFC');
