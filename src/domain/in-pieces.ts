import { inSlices, type Steps } from '../base/steps.js';

/** In code units: converting one takes a few milliseconds at most. */
const pieceLength = 32_768;

/** Converts a long text piece by piece; between pieces the thread does other work. A piece may end inside a character. */
export function inPieces(text: string, convert: (piece: string) => string): Promise<string> {
  return inSlices(converted(text, convert));
}

function* converted(text: string, convert: (piece: string) => string): Steps<string> {
  const done: string[] = [];
  for (let from = 0; from < text.length; from += pieceLength) {
    done.push(convert(text.slice(from, from + pieceLength)));
    yield;
  }
  return done.join('');
}
