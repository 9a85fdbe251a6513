import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The reason why a PDF cannot be read, as the end of a sentence. */
export class UnreadablePdf extends Error {}

/**
 * The most pages of a document, and the most in a row that have no text. An empty page takes 100 bytes of a document, and 1 ms
 * to read: more in a document with many pages, because the library looks for each page among all of them.
 */
const maxPages = 5000;
const emptyPages = 1000;

/** A gap between two lines that is larger than this multiple of their height separates two paragraphs. */
const paragraphGap = 1.7;

/**
 * Extracts the text layer of a PDF, page by page, with its line breaks. Images have no text: the result for a scan is
 * ''. It stops after the page at which the text is longer than `enough`, because the text is too long then, and a
 * thousand pages take 25 s.
 * @throws UnreadablePdf
 */
export async function pdfText(bytes: Uint8Array, enough: number): Promise<string> {
  const { getDocument } = await loadLibrary();
  const library = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));
  const task = getDocument({
    // A copy, because the library transfers the bytes, and not a Buffer, because the library refuses one.
    data: new Uint8Array(bytes),
    verbosity: 0,
    // Extracting text needs neither fonts nor images, and features that are not used cannot fail.
    useSystemFonts: false,
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    useWasm: false,
    maxImageSize: 0,
    enableXfa: false,
    // The tables that map codes of Chinese, Japanese and Korean fonts to characters.
    cMapUrl: `${join(library, 'cmaps')}/`,
    cMapPacked: true,
  });
  try {
    const document = await task.promise;
    if (document.numPages > maxPages) throw new UnreadablePdf(`it has more than ${maxPages} pages`);
    const pages: string[] = [];
    let length = 0;
    let empty = 0;
    for (let number = 1; number <= document.numPages && length <= enough; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = pageText(items.flatMap((item) => ('str' in item ? [item] : [])));
      length += text.length;
      empty = text === '' ? empty + 1 : 0;
      if (empty > emptyPages) throw new UnreadablePdf(`more than ${emptyPages} of its pages in a row have no text`);
      pages.push(text);
      page.cleanup();
    }
    return pages.filter((page) => page !== '').join('\n\n');
  } catch (error) {
    if (error instanceof UnreadablePdf) throw error;
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
  /** A matrix. Its last number is the vertical position of the text on the page. */
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

/** The library creates a DOMMatrix for drawing when it is loaded. Node has none, and text extraction never uses it. */
async function loadLibrary() {
  class NoMatrix {}
  Object.assign(globalThis, { DOMMatrix: NoMatrix, ImageData: NoMatrix, Path2D: NoMatrix });
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}
