import { type Facts, factsOf } from './rank/facts.js';
import { type IndexedPart, indexedParts } from './tokens/indexed.js';

/** A text as the search index needs it: the tokens of its parts, chunks that get a vector each, and its facts. */
export interface Prepared {
  readonly parts: readonly IndexedPart[];
  readonly chunks: readonly Chunk[];
  readonly facts: Facts;
}

/** Preparing a MiB takes from 0.1 to 7 s. That is why long texts are prepared in a thread. */
export type Prepare = (content: string) => Promise<Prepared>;

export const preparedText = (content: string): Prepared => ({
  parts: indexedParts(content),
  chunks: chunk(content),
  facts: factsOf(content),
});

/** A part of a text that has its own vector. */
interface Chunk {
  readonly ordinal: number;
  readonly text: string;
}

/** About 200 tokens of English. Counting characters needs no tokenizer and works roughly for every language. */
const chunkCharacters = 800;
/** A chunk begins with the end of the one before, so that a sentence at the border is complete in one of them. */
const overlapCharacters = 100;

/**
 * The length of the window in which the ends of sentences are found. The time to find them grows with the square of the
 * length: a MiB of short lines took 80 s as a whole, and takes 0.5 s in windows.
 */
const windowCharacters = 2048;

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/**
 * Cuts a text into chunks of about 800 characters that end where sentences end. A longer sentence is cut at a space, or
 * in the middle of a word if it has no space. Every character is in at least one chunk.
 */
export function chunk(text: string): Chunk[] {
  if (text.length <= chunkCharacters) return [{ ordinal: 0, text }];
  const chunks: Chunk[] = [];
  let from = 0;
  let end = 0;
  const close = () => {
    chunks.push({ ordinal: chunks.length, text: text.slice(from, end) });
    from = wordStart(text, Math.max(from + 1, end - overlapCharacters));
  };
  for (const piece of pieces(text)) {
    if (end > from && piece.end - from > chunkCharacters) close();
    end = piece.end;
  }
  close();
  return chunks;
}

/** Yields the ends of sentences. Longer sentences are cut, so that no piece is longer than a chunk without its overlap. */
function* pieces(text: string): Iterable<{ end: number }> {
  const longest = chunkCharacters - overlapCharacters;
  for (let from = 0, next = 0; from < text.length; from = next) {
    for (const { end, isUnfinished } of sentencesFrom(text, from)) {
      while (end - next > longest) {
        // Only this part is searched: in a text without spaces, every search would scan the whole rest.
        const space = text.slice(next, next + longest + 1).lastIndexOf(' ');
        next = space > 0 ? next + space + 1 : wholeCharacter(text, next + longest);
        yield { end: next };
      }
      if (isUnfinished) break;
      next = end;
      yield { end };
    }
  }
}

/**
 * The sentences of one window except the last one, which may continue after the window. A sentence that fills the
 * window is unfinished.
 */
function* sentencesFrom(text: string, from: number): Iterable<{ end: number; isUnfinished: boolean }> {
  const until = wholeCharacter(text, Math.min(text.length, from + windowCharacters));
  for (const { segment, index } of sentences.segment(text.slice(from, until))) {
    const end = from + index + segment.length;
    if (end < until || until === text.length) yield { end, isUnfinished: false };
    else if (index === 0) yield { end, isUnfinished: true };
  }
}

/** The start of the word at or after `position`, or `position` itself in text without spaces. */
function wordStart(text: string, position: number): number {
  const space = text.slice(position, position + overlapCharacters / 2).indexOf(' ');
  return space >= 0 ? position + space + 1 : wholeCharacter(text, position);
}

/** Moves a position out of the middle of a surrogate pair, because half a character is not valid text. */
function wholeCharacter(text: string, position: number): number {
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff ? position + 1 : position;
}
