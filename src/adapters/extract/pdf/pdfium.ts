import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import type { PageContent } from './page.js';
import { glyphsOf, letterCalls } from './pdfium-glyphs.js';
import { createMemory, type Memory } from './pdfium-memory.js';
import { typedOf } from './pdfium-typed.js';
import { repaired } from './repair.js';
import { UnreadablePdf } from './unreadable.js';

/** The errors of FPDF_GetLastError for a file that needs a password, or a way to decrypt it that the library does not know. */
const passwordErrors = new Set([4, 5]);
/** The result of FPDF_GetFormType for a form whose pages are made by the viewer. The page in the file only asks to wait. */
const dynamicForm = 2;

/** Why most files that cannot be read cannot be. */
export const damaged = 'it is damaged, or no PDF at all';

export interface OpenPdf {
  readonly pages: number;
  /** Whether its end is missing. */
  readonly isCut: boolean;
  /** @param index from 0 */
  page(index: number): PageContent;
}

/**
 * Opens a PDF with PDFium, which runs as WebAssembly. Nothing is closed: the process that reads a document ends after it.
 * @throws UnreadablePdf
 */
export async function openPdf(bytes: Uint8Array): Promise<OpenPdf> {
  const options = { wasmBinary: moduleBytes() };
  const pdfium = await init(options);
  pdfium.PDFiumExt_Init();
  const memory = createMemory(pdfium);
  const calls = letterCalls(pdfium);
  const { document, isCut } = load(pdfium, memory, bytes);
  if (pdfium.FPDF_GetFormType(document) === dynamicForm) {
    throw new UnreadablePdf('it is a form that only a few programs can show; print it to a PDF first');
  }
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, pdfium.PDFiumExt_OpenFormFillInfo());
  return {
    pages: pdfium.FPDF_GetPageCount(document),
    isCut,
    page(index) {
      const page = pdfium.FPDF_LoadPage(document, index);
      // A page that is damaged has no text; the other pages are read.
      if (page === 0) return { glyphs: [], typed: [], unknown: 0, fields: 0 };
      try {
        return { ...glyphsOf(pdfium, calls, memory, page), ...typedOf(pdfium, memory, page, form) };
      } finally {
        pdfium.FPDF_ClosePage(page);
      }
    },
  };
}

function moduleBytes(): ArrayBuffer {
  const file = readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));
  return new Uint8Array(file).buffer;
}

/** Opens the document, which the library calls by a number. @throws UnreadablePdf */
function load(pdfium: WrappedPdfiumModule, memory: Memory, bytes: Uint8Array): { document: number; isCut: boolean } {
  const open = (file: Uint8Array) => pdfium.FPDF_LoadMemDocument(memory.put(file), file.length, '');
  const whole = open(bytes);
  if (whole !== 0) return { document: whole, isCut: false };
  if (passwordErrors.has(pdfium.FPDF_GetLastError())) throw new UnreadablePdf('it is encrypted');
  const repair = repaired(bytes);
  const document = repair === null ? 0 : open(repair);
  if (document === 0) throw new UnreadablePdf(damaged);
  return { document, isCut: true };
}
