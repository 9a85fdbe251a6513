import { type Decoded, decodeText, NoText } from '../../domain/charset/decode.js';
import { storable } from '../../domain/content.js';
import { detectCharset } from './charset-detector.js';
import { htmlText } from './html-text.js';
import type { Document, Reading } from './messages.js';
import { UnreadablePdf } from './pdf/unreadable.js';
import { pdfText } from './pdf-text.js';

/** Reads one document. A hostile one may take any time and memory: the service does this in a process of its own. */
export async function readDocument(document: Document): Promise<Reading> {
  try {
    const { text: found, assumed } = await textOf(document);
    const text = storable(found);
    const size = Buffer.byteLength(text);
    if (size > document.maxTextBytes) return { kind: 'too-large', size };
    return { kind: 'text', text, ...(assumed && { assumed }) };
  } catch (error) {
    if (error instanceof UnreadablePdf || error instanceof NoText) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

async function textOf({ form, bytes, contentType, maxTextBytes }: Document): Promise<Decoded> {
  if (form === 'pdf') return pdfText(bytes, maxTextBytes);
  const decoded = decodeText(bytes, contentType, form, detectCharset);
  return form === 'html' ? { ...decoded, text: htmlText(decoded.text) } : decoded;
}
