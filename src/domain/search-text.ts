import { pieces, plainForm, wordsOf } from './words.js';

/**
 * Texts and queries in the form in which PostgreSQL's parser finds their words. The same rules hold for both, so that words
 * match if they are written in another way:
 *
 * - Chinese, Japanese and Korean: every two adjacent characters are a word (bigrams), because a word may be part of another
 *   one: 北京 and 北京市. A character that is a word by itself is one too.
 * - Other scripts without spaces, such as Thai: the words of a dictionary.
 * - Numbers: without separators of thousands, and with the digits 0 to 9. A dash before a digit is no sign within a word.
 * - Emoji: a word of letters and digits, because the parser ignores symbols.
 */
const dense = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ーｰ々〆ヶ]';
const dictionary = '[\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]';
const emoji = '(?:\\p{Regional_Indicator}{2}|\\p{Extended_Pictographic})';

const denseRuns = new RegExp(`${dense}+`, 'gu');
const dictionaryRuns = new RegExp(`${dictionary}+`, 'gu');
const emojis = new RegExp(`${emoji}[\\ufe0e\\ufe0f\\u200d\\u{1f3fb}-\\u{1f3ff}]*`, 'gu');
const emojiRuns = new RegExp(`(?:${emojis.source})+`, 'gu');
const onlyDense = new RegExp(`^${dense}+$`, 'u');
const hasRuns = new RegExp(`${dense}|${dictionary}`, 'u');
const han = /\p{Script=Han}/u;
const hangul = /\p{Script=Hangul}/u;

const grouped = /(?<![A-Za-z0-9.,'’])\d{1,3}(?:(?:,\d{3})+|(?:['’]\d{3})+)(?!\d)/g;
/** A dot may separate thousands, or a fraction: both are indexed. */
const dotted = /(?<![A-Za-z0-9.,])\d{1,3}(?:\.\d{3})+(?![\d,])/g;
const dashBeforeDigit = /(?<=[\p{L}\p{N}])[-\u2010-\u2013](?=\d)/gu;
const otherDigits = /(?![0-9])\p{Nd}/gu;
/** Marks of vowels in Arabic and Hebrew, which are usually left out, and the line that only makes Arabic words longer. */
const vowelMarks = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670]/gu;
/** Between letters of Arabic script it separates an ending from the word. Elsewhere it only changes how letters look. */
const nonJoiner = /(?<=[\u0600-\u06ff])\u200c/gu;
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
  `${dense}|${dictionary}|${emoji}|[\\u0590-\\u06ff]|(?![0-9])\\p{Nd}|[0-9][.,'’][0-9]{3}|[\\p{L}\\p{N}][-\\u2010-\\u2013][0-9]`,
  'u',
);

/** The segmenter knows the words of every script. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** A text of a memory, for the index. */
export function indexedText(text: string): string {
  const plain = plainForm(text);
  if (!special.test(plain)) return plain;
  const singles: string[] = [];
  const prepared = withPlainWords(plain)
    .replace(denseRuns, (run) => {
      for (const one of singlesOf(run)) singles.push(one);
      return ` ${bigramsOf(run).join(' ')} `;
    })
    .replace(dictionaryRuns, (run) => ` ${segmentsOf(run).join(' ')} `);
  // After the text, so that bigrams of adjacent characters are adjacent, as phrases need it.
  return singles.length === 0 ? prepared : `${prepared} ${singles.join(' ')}`;
}

/** A text without marks of vowels, and with one writing of each Arabic letter and digit. */
export function plainLetters(text: string): string {
  return text
    .replace(vowelMarks, '')
    .replace(nonJoiner, ' ')
    .replace(variant, (letter) => variants[letter] ?? letter)
    .replace(otherDigits, digitOf);
}

/** The part that is equal for texts and queries of all kinds. */
function withPlainWords(plain: string): string {
  return plainLetters(plain)
    .replace(arabicWords, arabicStem)
    .replace(grouped, (number) => number.replace(/[^0-9]/g, ''))
    .replace(dotted, (number) => `${number} ${number.replaceAll('.', '')}`)
    .replace(dashBeforeDigit, ' ')
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

/** A word that a search looks for. */
export interface SearchWord {
  readonly word: string;
  /** From 0 to 1: how much it counts. 1 for a word as it was written. */
  readonly share: number;
}

/** The share of a part of a code, `LH` of `LH456`, beside the whole. */
const partShare = 0.4;

/** The distinct words of a query in lower case: those of the text, then codes that are written in another way. */
export function searchWords(query: string): SearchWord[] {
  const shares = new Map<string, number>();
  const add = (word: string, share: number) => {
    const short = word.slice(0, 200);
    shares.set(short, Math.max(share, shares.get(short) ?? 0));
  };
  const plain = withPlainWords(plainForm(query)).replace(denseRuns, (run) => ` ${bigramsOf(run).join(' ')} `);
  let before = '';
  for (const part of plain.toLowerCase().split(/\s+/)) {
    for (const word of onlyDense.test(part) ? [part] : wordsOf(part)) {
      if (!/[\p{L}\p{N}]/u.test(word)) continue;
      add(word, 1);
      for (const other of codesOf(before, word)) add(other.word, other.share);
      before = word;
    }
  }
  return [...shares].map(([word, share]) => ({ word, share }));
}

/** Whether this is one Chinese, Japanese or Korean character, which may be a part of many words. */
export const isCharacter = (word: string): boolean => onlyDense.test(word) && [...word.slice(0, 3)].length === 1;

/** `LH 456` for `LH456`, and `LH456` for `LH 456`. */
function codesOf(before: string, word: string): SearchWord[] {
  if (/^\d{1,8}$/.test(word) && /^\p{L}{1,5}$/u.test(before)) return [{ word: `${before}${word}`, share: 1 }];
  if (emojiName.test(word)) return [];
  const [, letters, digits] = /^(\p{L}{1,5})(\d{1,8})$/u.exec(word) ?? [];
  return [letters, digits].flatMap((part) => (part === undefined ? [] : [{ word: part, share: partShare }]));
}

/** Whether a text has a word or an emoji. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) || new RegExp(emoji, 'u').test(text);
}

/** A query in web search syntax. Words that are several in the index become phrases, so that the syntax keeps its meaning. */
export function webQueryText(query: string): string {
  const plain = plainForm(query);
  if (!special.test(plain)) return plain;
  return withPlainWords(plain)
    .replace(/-\s+(?=emo[0-9a-f])/g, '-')
    .split('"')
    .map((part, i) => (i % 2 === 1 ? spaced(part) : part.replace(/[^\s()"]+/gu, quoted)))
    .join('"');
}

const spaced = (text: string): string =>
  text
    .replace(denseRuns, (run) => ` ${bigramsOf(run).join(' ')} `)
    .replace(dictionaryRuns, (run) => ` ${segmentsOf(run).join(' ')} `);

function quoted(token: string): string {
  if (!hasRuns.test(token)) return token;
  const [, dashes = '', rest = ''] = /^(-*)(.*)$/su.exec(token) ?? [];
  const words = spaced(rest).trim();
  return words.includes(' ') ? ` ${dashes}"${words}" ` : `${dashes}${words}`;
}
