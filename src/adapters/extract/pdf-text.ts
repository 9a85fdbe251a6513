import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Half a sentence on why a PDF cannot be read. */
export class UnreadablePdf extends Error {}

/** A gap between two lines that is wider than this many of their heights parts two paragraphs. */
const paragraphGap = 1.7;

/**
 * The text layer of a PDF, page by page, lines as they are laid out. What is only drawn has no text: a scan gives ''.
 * It ends with the page that makes it longer than `enough`, which is too long anyway: a thousand pages take 25 s.
 * @throws UnreadablePdf
 */
export async function pdfText(bytes: Uint8Array, enough: number): Promise<string> {
  const { getDocument } = await loadLibrary();
  const library = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));
  const task = getDocument({
    // A copy, and no Buffer, which the library refuses: it gives the bytes away.
    data: new Uint8Array(bytes),
    verbosity: 0,
    // Text needs no fonts to draw with and no pictures, and what is not done cannot go wrong.
    useSystemFonts: false,
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    useWasm: false,
    maxImageSize: 0,
    enableXfa: false,
    // What characters the codes of Chinese, Japanese and Korean fonts stand for.
    cMapUrl: `${join(library, 'cmaps')}/`,
    cMapPacked: true,
  });
  try {
    const document = await task.promise;
    const pages: string[] = [];
    let length = 0;
    for (let number = 1; number <= document.numPages && length <= enough; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = pageText(items.flatMap((item) => ('str' in item ? [item] : [])));
      length += text.length;
      pages.push(text);
      page.cleanup();
    }
    return pages.filter((page) => page !== '').join('\n\n');
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') throw new UnreadablePdf('it is encrypted');
    throw new UnreadablePdf('it is damaged, or no PDF at all');
  } finally {
    await task.destroy();
  }
}

interface Item {
  readonly str: string;
  readonly hasEOL: boolean;
  readonly height: number;
  /** A matrix; its last number is how high on the page the text begins. */
  readonly transform: readonly unknown[];
}

function pageText(items: readonly Item[]): string {
  let text = '';
  let last: { readonly y: number; readonly height: number } | null = null;
  for (const { str, hasEOL, height, transform } of items) {
    const y = Number(transform[5]);
    if (str.trim() !== '') {
      if (last !== null && text.endsWith('\n') && last.y - y > paragraphGap * Math.max(last.height, height))
        text += '\n';
      last = { y, height };
    }
    text += str;
    if (hasEOL && !text.endsWith('\n\n')) text += '\n';
  }
  return text.replace(/[ \t]+\n/g, '\n').trim();
}

/** The library makes a matrix for drawing when it is loaded, which Node does not have; text is never drawn with it. */
async function loadLibrary() {
  class NoMatrix {}
  Object.assign(globalThis, { DOMMatrix: NoMatrix, ImageData: NoMatrix, Path2D: NoMatrix });
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}
