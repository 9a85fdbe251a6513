import { pieces, plainForm } from './pieces.js';

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The words of a text in any script, in order, with compatibility forms replaced and in lower case. */
export function* wordsOf(text: string): Iterable<string> {
  for (const piece of pieces(plainForm(text).toLowerCase())) {
    if (!onlyAscii.test(piece)) yield* segmented(piece);
    else for (const part of piece.split(' ')) yield* onlyLetters.test(part) ? [part] : segmented(part);
  }
}

/**
 * In ASCII a word never contains a space, and adjacent letters and digits are one word. Finding words in this way takes
 * a tenth of the segmenter's time.
 */
const onlyAscii = /^[\t\n\r -~]*$/;
const onlyLetters = /^[a-z0-9]+$/;

function* segmented(text: string): Iterable<string> {
  for (const { segment, isWordLike } of words.segment(text)) if (isWordLike) yield segment;
}
