import { pieces, plainForm } from '../words.js';

/**
 * A text as the cutter reads it, so that one thing is written in one way:
 *
 * - compatibility forms are replaced (NFKC), and what is not seen goes away: soft hyphens, spaces without width;
 * - hyphens and the sign of minus are dashes; thousands are written without `,` and `'`; digits of every script are 0 to 9;
 * - marks of vowels in Arabic and Hebrew go away, Arabic words lose their articles and endings, and Persian ones the ending of
 *   the plural;
 * - Chinese, Japanese and Korean: every two adjacent characters are a word (bigrams), because a word may be part of another
 *   one: 北京 and 北京市. A character that is a word by itself is one too, and is in `after`, so that bigrams of adjacent
 *   characters stay adjacent, as phrases need it;
 * - other scripts without spaces, such as Thai: the words of a dictionary;
 * - emoji: a word of letters and digits.
 */
export interface PreparedText {
  readonly prose: string;
  readonly after: string;
}

const dense = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ーｰ々〆ヶ]';
const dictionary = '[\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]';
const emoji = '(?:\\p{Regional_Indicator}{2}|\\p{Extended_Pictographic})';

const denseRuns = new RegExp(`${dense}+`, 'gu');
const dictionaryRuns = new RegExp(`${dictionary}+`, 'gu');
const emojis = new RegExp(`${emoji}[\\ufe0e\\ufe0f\\u200d\\u{1f3fb}-\\u{1f3ff}]*`, 'gu');
const emojiRuns = new RegExp(`(?:${emojis.source})+`, 'gu');
const onlyDense = new RegExp(`^${dense}+$`, 'u');
const han = /\p{Script=Han}/u;
const hangul = /\p{Script=Hangul}/u;

const unseen = /[\u00ad\u200b\u2060\ufeff]/g;
const hyphens = /[\u2010\u2011\u2212]/g;
const grouped = /(?<![A-Za-z0-9.,'’])\d{1,3}(?:(?:,\d{3})+|(?:['’]\d{3})+)(?!\d)/g;
const otherDigits = /(?![0-9])\p{Nd}/gu;
/** Marks of vowels in Arabic and Hebrew, which are usually left out, and the line that only makes Arabic words longer. */
const vowelMarks = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670]/gu;
/** Between letters of Arabic script it separates an ending from the word. Elsewhere it only changes how letters look. */
const nonJoiner = /(?<=[\u0600-\u06ff])\u200c/gu;

/** The ending of Persian plurals where a non-joiner separates it. As a word of its own every plural would have it in common. */
const separatePlural = /(?<=[\u0600-\u06ff])\u200cها[یي]{0,2}(?![\u0600-\u06ff\u200c])/gu;

/** Letters of Arabic script that are written in several ways. */
const variants: Readonly<Record<string, string>> = {
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  ۀ: 'ه',
};
const variant = /[أإآٱىیکةۀ]/gu;

/** Every text without any of these is left as it is. */
const special = new RegExp(
  `${dense}|${dictionary}|${emoji}|[\\u0590-\\u06ff]|(?![0-9])\\p{Nd}|[0-9][,'’][0-9]{3}`,
  'u',
);

/** The segmenter knows the words of every script. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** A text without what is not seen, and with compatibility forms replaced. */
export const visibleForm = (text: string): string => plainForm(text).replace(unseen, '');

/** A text or query before it is cut. The time is linear in its length. */
export function preparedText(text: string): PreparedText {
  const visible = visibleForm(text).replace(hyphens, '-');
  if (!special.test(visible)) return { prose: visible, after: '' };
  const singles: string[] = [];
  const prose = withPlainWords(visible)
    .replace(denseRuns, (run) => {
      for (const one of singlesOf(run)) singles.push(one);
      return ` ${bigramsOf(run).join(' ')} `;
    })
    .replace(dictionaryRuns, (run) => ` ${segmentsOf(run).join(' ')} `);
  return { prose, after: singles.join(' ') };
}

/** A text without marks of vowels, and with one writing of each Arabic letter and digit. */
export function plainLetters(text: string): string {
  return text
    .replace(vowelMarks, '')
    .replace(nonJoiner, ' ')
    .replace(variant, (letter) => variants[letter] ?? letter)
    .replace(otherDigits, digitOf);
}

/** The part that is equal for all scripts. */
function withPlainWords(plain: string): string {
  return plainLetters(plain.replace(separatePlural, ''))
    .replace(arabicWords, arabicStem)
    .replace(grouped, (number) => number.replace(/[^0-9]/g, ''))
    .replace(emojiRuns, (run) => ` ${run.replace(emojis, (symbol) => `${emojiWord(symbol)} `)}`);
}

/** The digits 0 of the scripts that have digits of their own. The other nine follow each of them. */
const zeros = Array.from('٠۰߀०০੦૦୦௦౦೦൦๐໐༠၀០᠐', (zero) => zero.charCodeAt(0));

function digitOf(digit: string): string {
  const code = digit.charCodeAt(0);
  const zero = zeros.find((one) => code >= one && code < one + 10);
  return zero === undefined ? digit : String(code - zero);
}

/** The articles and endings that the light stemmer removes which Larkey, Ballesteros and Connell call light10 (2007). */
const arabicWords = /[\u0621-\u064a]{4,}/gu;
const arabicPrefix = /^(?:[وبكف]?ال|لل|و)(?=.{3})/u;
const arabicSuffix = /(?<=.{2})(?:ها|ان|ات|ون|ين|يه|ه|ي)$/u;

function arabicStem(word: string): string {
  let stem = word.replace(arabicPrefix, '');
  for (let shorter = stem.replace(arabicSuffix, ''); shorter !== stem; shorter = stem.replace(arabicSuffix, '')) {
    stem = shorter;
  }
  return stem;
}

function* singlesOf(run: string): Iterable<string> {
  // The particle after a Korean word of one syllable is no word.
  if (hangul.test(run)) {
    const [first = '', ...rest] = run;
    if (rest.length > 0 && rest.length < 3) yield first;
    return;
  }
  if (!han.test(run) || [...run.slice(0, 3)].length === 1) return;
  for (const piece of pieces(run)) {
    for (const { segment } of segmenter.segment(piece)) {
      if (han.test(segment) && [...segment.slice(0, 3)].length === 1) yield segment;
    }
  }
}

function bigramsOf(run: string): string[] {
  const characters = [...run];
  return characters.length === 1 ? characters : characters.slice(1).map((second, i) => `${characters[i]}${second}`);
}

function segmentsOf(run: string): string[] {
  const found: string[] = [];
  for (const piece of pieces(run)) for (const { segment } of segmenter.segment(piece)) found.push(segment);
  return found;
}

const emojiName = /^emo([0-9a-f]{2,6}(?:x[0-9a-f]{4,6})*)$/;

/** Whether a word of a prepared text stands for an emoji. */
export const isEmojiWord = (word: string): boolean => emojiName.test(word);

/** Without the variants of its form and colour. */
function emojiWord(symbol: string): string {
  const bare = symbol.replace(/[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]|\u200d/gu, '');
  return `emo${Array.from(bare, (one) => one.codePointAt(0)?.toString(16)).join('x')}`;
}

/** The sign © is the first one. */
const firstEmoji = 0xa9;

/** A word of a query as people write it. */
export function shownWord(word: string): string {
  const [, codes] = emojiName.exec(word) ?? [];
  const points = codes?.split('x').map((code) => Number.parseInt(code, 16)) ?? [];
  const known = points.length > 0 && points.every((point) => point >= firstEmoji && point <= 0x10ffff);
  return known ? String.fromCodePoint(...points) : word;
}

/** Whether this is one Chinese, Japanese or Korean character, which may be a part of many words. */
export const isCharacter = (word: string): boolean => onlyDense.test(word) && [...word.slice(0, 3)].length === 1;

/** Whether a text has a word or an emoji. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) || new RegExp(emoji, 'u').test(text);
}
