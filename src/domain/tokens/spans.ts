import { characterKinds, kindOf } from './characters.js';

/** Letters, marks, digits and signs of runs, as far as nothing else stands between them. */
export interface Span {
  readonly from: number;
  readonly end: number;
  /** The one word that it is, if it has only letters and marks, and signs around them that do not belong to a word. */
  readonly word: { readonly from: number; readonly end: number } | undefined;
}

/** Longer spans are cut, so that a text gives about one token for each character at most. */
const mostCharacters = 128;

/** The shapes of a span: signs, then letters, then signs again. Everything else is no plain word. */
const shapes = { before: 0, inside: 1, behind: 2, other: 3 } as const;

/** The first span from this place on. */
export function nextSpan(text: string, start: number): Span | undefined {
  let at = start;
  while (at < text.length && kindAt(text, at) === characterKinds.other) at += widthAt(text, at);
  if (at >= text.length) return undefined;
  const from = at;
  let shape: number = shapes.before;
  let [wordFrom, wordEnd] = [at, at];
  for (let characters = 0; characters < mostCharacters && at < text.length; characters += 1) {
    const kind = kindAt(text, at);
    if (kind === characterKinds.other) break;
    const shapeBefore = shape;
    shape = shapeWith(shape, kind, text.charCodeAt(at));
    if (shape === shapes.inside) {
      if (shapeBefore === shapes.before) wordFrom = at;
      wordEnd = at + widthAt(text, at);
    }
    at += widthAt(text, at);
  }
  const isWord = shape === shapes.inside || shape === shapes.behind;
  return { from, end: at, word: isWord ? { from: wordFrom, end: wordEnd } : undefined };
}

const [dot, plus, sharp] = ['.', '+', '#'].map((sign) => sign.charCodeAt(0));

function shapeWith(shape: number, kind: number, code: number): number {
  if (kind === characterKinds.letter || kind === characterKinds.mark) {
    return shape === shapes.before ? shapes.inside : shape === shapes.inside ? shape : shapes.other;
  }
  // The sign belongs to the word in `.net`, `c++` and `c#`.
  if (kind !== characterKinds.sign) return shapes.other;
  if (shape === shapes.before) return code === dot ? shapes.other : shape;
  if (shape === shapes.other || code === plus || code === sharp) return shapes.other;
  return shapes.behind;
}

const kindAt = (text: string, at: number): number => kindOf(text.codePointAt(at) ?? 0);
const widthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
