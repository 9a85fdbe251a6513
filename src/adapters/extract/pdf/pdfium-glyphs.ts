import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { meaningOf } from './meaning.js';
import type { Glyph } from './page.js';
import type { Memory } from './pdfium-memory.js';

/** The code that the library gives for a hyphen at the end of a line. */
const hyphenCode = 2;

/** The properties that the letters of one text operator have in common. */
interface Writing {
  readonly object: number;
  readonly size: number;
  readonly direction: number;
  readonly y: number;
  readonly top: number;
}

/**
 * The calls that are made for every letter. The wrapper of the library converts the arguments of each call, which takes longer than
 * the call itself; these have numbers only.
 */
export interface LetterCalls {
  object(text: number, at: number): number;
  code(text: number, at: number): number;
  hasNoUnicode(text: number, at: number): number;
  box(text: number, at: number, to: number): number;
}

/** @throws Error if a version of the library does not show its functions */
export function letterCalls({ pdfium }: WrappedPdfiumModule): LetterCalls {
  const exported: object = pdfium.wasmExports;
  const find = (name: string) => {
    const found: unknown = Reflect.get(exported, name);
    if (!isCall(found)) throw new Error(`This version of @embedpdf/pdfium does not show ${name}.`);
    return found;
  };
  return {
    object: find('FPDFText_GetTextObject'),
    code: find('FPDFText_GetUnicode'),
    hasNoUnicode: find('FPDFText_HasUnicodeMapError'),
    box: find('FPDFText_GetLooseCharBox'),
  };
}

type Call = (...numbers: readonly number[]) => number;
const isCall = (found: unknown): found is Call => typeof found === 'function';

/** The letters of a page in the order in which the library gives them, which is near to that in which they were drawn. */
export function glyphsOf(
  pdfium: WrappedPdfiumModule,
  calls: LetterCalls,
  memory: Memory,
  page: number,
): { glyphs: Glyph[]; unknown: number } {
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return { glyphs: [], unknown: 0 };
  try {
    const count = pdfium.FPDFText_CountChars(text);
    const glyphs: Glyph[] = [];
    const place = createPlaces(pdfium, calls, memory, text);
    let unknown = 0;
    for (let at = 0; at < count; at += 1) {
      const object = calls.object(text, at);
      // The library guesses blanks and line ends. The layout does so itself, from the places of the letters.
      if (object === 0) continue;
      // The number has a sign in WebAssembly.
      const code = calls.code(text, at) >>> 0;
      const isHyphen = code === hyphenCode && pdfium.FPDFText_IsHyphen(text, at) === 1;
      const isUnknown = !isHyphen && calls.hasNoUnicode(text, at) === 1;
      const meaning = isHyphen ? '-' : isUnknown ? null : meaningOf(code);
      if (meaning === null) unknown += 1;
      else if (meaning !== '') glyphs.push(place(object, at, meaning));
    }
    return { glyphs, unknown };
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

/**
 * Finds where letters stand. A book has a million of them, and each call of the library costs time; so the common
 * properties of an operator are requested once.
 */
function createPlaces(
  pdfium: WrappedPdfiumModule,
  calls: LetterCalls,
  { place, floatAt, doubleAt }: Memory,
  text: number,
) {
  let writing: Writing | null = null;

  function lookUp(object: number, at: number, top: number): Writing {
    pdfium.FPDFText_GetMatrix(text, at, place);
    const [a, b, c, d] = [floatAt(place), floatAt(place + 4), floatAt(place + 8), floatAt(place + 12)];
    const size = pdfium.FPDFText_GetFontSize(text, at) * Math.hypot(c, d);
    const direction = (Math.round((Math.atan2(b, a) * 180) / Math.PI) + 360) % 360;
    return { object, size: Math.abs(size) || 1, direction, y: originOf(at).y, top };
  }
  function originOf(at: number) {
    pdfium.FPDFText_GetCharOrigin(text, at, place, place + 8);
    return { x: doubleAt(place), y: doubleAt(place + 8) };
  }

  return (object: number, at: number, meaning: string): Glyph => {
    calls.box(text, at, place);
    const [left, top, right, bottom] = [floatAt(place), floatAt(place + 4), floatAt(place + 8), floatAt(place + 12)];
    // Letters of an operator may stand below each other. Then their boxes do, too.
    if (writing === null || writing.object !== object || writing.top !== top) writing = lookUp(object, at, top);
    const { size, direction, y } = writing;
    if (direction === 0) return { text: meaning, x: left, y, width: right - left, size, direction };
    const width = widthIn(direction, right - left, Math.abs(top - bottom), size);
    return { text: meaning, ...originOf(at), width, size, direction };
  };
}

/** The length of a box along the writing. In a slanted one the box is wider than the letter. */
function widthIn(direction: number, width: number, height: number, size: number): number {
  if (direction % 180 === 0) return width;
  if (direction % 90 === 0) return height;
  return size / 2;
}
