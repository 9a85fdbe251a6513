/**
 * Libraries that find words, or the canonical order of marks, need time that grows faster than the text: 20 s for
 * 100,000 characters of Chinese. If the text is cut into pieces first, it takes 85 ms.
 */
const longestPiece = 1024;
/** The distance from the end of a piece within which the start of a character and its marks is searched. */
const longestCluster = 32;

const letterOrDigit = /[\p{L}\p{N}]/u;
const letter = /\p{L}/u;
/** Marks, joiners and second halves of surrogate pairs: they belong to the character before. */
const joined = /\p{M}|\p{Cf}|[\udc00-\udfff]/u;
const joiner = '\u200d';

/**
 * Cuts a text into pieces of at most 1024 code units. They end where a word certainly ends: after a line end, or after
 * a space or Chinese punctuation that is followed by a letter. So the pieces have the same words and the same normal
 * form as the whole text, except where 500 characters have no such border.
 */
export function* pieces(text: string): Iterable<string> {
  let from = 0;
  while (text.length - from > longestPiece) {
    const end =
      lastBorder(text, from + longestPiece / 2, from + longestPiece) ?? clusterStart(text, from + longestPiece);
    yield text.slice(from, end);
    from = end;
  }
  if (from < text.length) yield text.slice(from);
}

function lastBorder(text: string, least: number, most: number): number | undefined {
  for (let at = most; at > least; at -= 1) if (isBorder(text, at)) return at;
  return undefined;
}

function isBorder(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (before === '\n') return true;
  if (before === ' ' || before === '\t' || before === '\u3000') return letterOrDigit.test(text.charAt(at));
  return '。！？、；…'.includes(before) && letter.test(text.charAt(at));
}

/** The start of the character that contains `position`, if it is not too far back. It never splits a surrogate pair. */
function clusterStart(text: string, position: number): number {
  for (let at = position; at > position - longestCluster; at -= 1) {
    if (!joined.test(text.charAt(at)) && text.charAt(at - 1) !== joiner) return at;
  }
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff ? position - 1 : position;
}

/**
 * The compatibility form (NFKC) of a text. One character can become 18, so the result is cut at about twice the length
 * of the text. Only unusual texts reach that, and the end of such a text is not needed for search.
 */
export function plainForm(text: string): string {
  const longest = 4096 + 2 * text.length;
  const parts: string[] = [];
  let length = 0;
  for (const piece of pieces(text)) {
    const plain = piece.normalize('NFKC');
    length += plain.length;
    if (length > longest) break;
    parts.push(plain);
  }
  return parts.join('');
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The words of a text in any script, in order, with compatibility forms replaced and in lower case. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const piece of pieces(plainForm(text).toLowerCase())) {
    if (!onlyAscii.test(piece)) addSegmented(piece, words);
    else for (const part of piece.split(' ')) addAscii(part, words);
  }
  return words;
}

function addAscii(part: string, words: string[]): void {
  // Most parts are a word without marks, for which no match is allocated.
  const word = plainWord.test(part) ? part : betweenMarks.exec(part)?.[1];
  if (word === undefined) addSegmented(part, words);
  else words.push(word);
}

/**
 * In ASCII a word never contains a space, and adjacent letters and digits are one word. Finding words in this way takes
 * a tenth of the segmenter's time.
 */
const onlyAscii = /^[\t\n\r -~]*$/;

const plainWord = /^[a-z0-9]+$/;

/** One word. These marks join what is on both sides of them, and nothing at its ends. The segmenter needs 7 µs for such a part. */
const betweenMarks = /^["'([]*([a-z0-9]+)[.,;:!?"')\]]*$/;

function addSegmented(text: string, words: string[]): void {
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) words.push(segment);
}
