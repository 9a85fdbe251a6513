/** A stretch of a text that gets a vector of its own. */
export interface Chunk {
  readonly ordinal: number;
  readonly text: string;
}

/** About 200 tokens of English; a character count needs no tokenizer and is right for no language and wrong for none. */
const chunkCharacters = 800;
/** The end of a chunk begins the next one again, so that a thought on the border is whole in one of them. */
const overlapCharacters = 100;

/**
 * How much of a text is looked at for the ends of sentences at once: finding them takes time that grows with the square of
 * what is looked at. A MiB of short lines took 80 s as a whole, and takes 0.5 in windows.
 */
const windowCharacters = 2048;

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/**
 * Cuts a text into chunks of about 800 characters that end where sentences end. A sentence that is longer is cut at a
 * space, or in the middle of a word when it has none. Every character is in at least one chunk.
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

/** Sentence ends, with longer sentences cut so that no piece is longer than a chunk less its overlap. */
function* pieces(text: string): Iterable<{ end: number }> {
  const longest = chunkCharacters - overlapCharacters;
  for (let from = 0, next = 0; from < text.length; from = next) {
    for (const { end, goesOn } of sentencesFrom(text, from)) {
      while (end - next > longest) {
        // Only in what may be cut off: in a text without spaces each look would go through all of it.
        const space = text.slice(next, next + longest + 1).lastIndexOf(' ');
        next = space > 0 ? next + space + 1 : wholeCharacter(text, next + longest);
        yield { end: next };
      }
      if (goesOn) break;
      next = end;
      yield { end };
    }
  }
}

/** The sentences of one window, but for the last, which may go on behind it. One as long as the window is given as it is. */
function* sentencesFrom(text: string, from: number): Iterable<{ end: number; goesOn: boolean }> {
  const until = wholeCharacter(text, Math.min(text.length, from + windowCharacters));
  for (const { segment, index } of sentences.segment(text.slice(from, until))) {
    const end = from + index + segment.length;
    if (end < until || until === text.length) yield { end, goesOn: false };
    else if (index === 0) yield { end, goesOn: true };
  }
}

/** The start of the word at or after `position`, or `position` itself in text without spaces. */
function wordStart(text: string, position: number): number {
  const space = text.slice(position, position + overlapCharacters / 2).indexOf(' ');
  return space >= 0 ? position + space + 1 : wholeCharacter(text, position);
}

/** Never between the halves of a surrogate pair: half a character is not valid text. */
function wholeCharacter(text: string, position: number): number {
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff ? position + 1 : position;
}
