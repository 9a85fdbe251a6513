import { setImmediate } from 'node:timers/promises';

/** Work that can be interrupted: each `next` does a small part of it. */
export type Steps<T> = Generator<void, T>;

/** How long work runs before other work of the thread does. */
const sliceMs = 8;

/** Other work of this thread goes first: what waits for input or output, and timers. */
export const yieldToOthers = (): Promise<void> => setImmediate();

/**
 * @param ms how long work runs before other work of the thread does
 * @returns what a loop waits for between two of its small parts: it yields when the loop has run for that time
 */
export function slices(ms = sliceMs): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < ms) return;
    await yieldToOthers();
    since = performance.now();
  };
}

/** Does the work without interruption. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does the work in slices, between which the thread does other work. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  let since = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    // As in `slices`, but without a wait after each step: there may be millions of them.
    if (performance.now() - since < sliceMs) continue;
    await yieldToOthers();
    since = performance.now();
  }
}

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
