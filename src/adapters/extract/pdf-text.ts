import type { Assumed } from '../../../contracts/assumed.js';
import { withoutBreaks } from './pdf/hyphens.js';
import { pageText } from './pdf/page-text.js';
import { damaged, openPdf } from './pdf/pdfium.js';
import { UnreadablePdf } from './pdf/unreadable.js';

/** The most pages of a document, and the most in a row that have no text. An empty page takes 100 bytes of a document. */
const maxPages = 5000;
const emptyPages = 1000;
/** A document in which a larger share of the characters has no meaning has no text that a reader could use. */
const unreadableShare = 0.1;

export interface PdfText {
  /** '' for a scan, and for a document most of whose fonts do not say what their characters mean. */
  readonly text: string;
  readonly assumed?: Assumed;
}

/**
 * Extracts the text layer of a PDF with the values of its forms and the notes typed onto it, page by page. It stops after the
 * page at which the text is longer than `enough`, because the text is too long then.
 * @throws UnreadablePdf
 */
export async function pdfText(bytes: Uint8Array, enough: number): Promise<PdfText> {
  const document = await openPdf(bytes);
  if (document.pages === 0) throw new UnreadablePdf(damaged);
  if (document.pages > maxPages) throw new UnreadablePdf(`it has more than ${maxPages} pages`);
  const pages: string[] = [];
  const sum = { length: 0, empty: 0, known: 0, unknown: 0, fields: 0 };
  for (let index = 0; index < document.pages && sum.length <= enough; index += 1) {
    const content = document.page(index);
    const text = pageText(content);
    sum.length += text.length;
    sum.empty = text === '' ? sum.empty + 1 : 0;
    sum.known += content.glyphs.length;
    sum.unknown += content.unknown;
    sum.fields += content.fields;
    if (sum.empty > emptyPages) throw new UnreadablePdf(`more than ${emptyPages} of its pages in a row have no text`);
    pages.push(text);
  }
  const share = sum.unknown / Math.max(1, sum.known + sum.unknown);
  if (share > unreadableShare) return { text: '' };
  const assumed: Assumed = {
    ...(sum.unknown > 0 ? { unreadable_pct: Math.max(0.1, Math.round(1000 * share) / 10) } : {}),
    ...(sum.fields > 0 ? { form_fields: sum.fields } : {}),
  };
  const text = withoutBreaks(pages.filter((page) => page !== '').join('\n\n'));
  if (text === '' && document.isCut) throw new UnreadablePdf(damaged);
  return { text, ...(Object.keys(assumed).length > 0 ? { assumed } : {}) };
}
