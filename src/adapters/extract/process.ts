import { Worker } from 'node:worker_threads';
import { type Decoded, decodeText, NoText } from '../../domain/charset/decode.js';
import { storable } from '../../domain/storable.js';
import { detectCharset } from './charset-detector.js';
import { htmlText } from './html-text.js';
import type { Document, Reading } from './messages.js';
import { UnreadablePdf } from './pdf/unreadable.js';
import { pdfText } from './pdf-text.js';

/**
 * Reads one document in a separate process, which has no secrets, no socket except the one to its parent, and no data
 * of other documents. If a document makes it fail, the service only sees that it ends. It limits its own memory and
 * time, so that it also ends if the service has been killed.
 */
const [memoryMb, cpuMs, wallMs] = process.argv.slice(2).map(Number);
new Worker(new URL('./watchdog.js', import.meta.url), { workerData: { memoryMb, cpuMs, wallMs } }).unref();

process.once('message', (document: Document) => {
  void read(document).then((reading) => process.send?.(reading, () => process.exit()));
});

async function read({ form, bytes, contentType, maxTextBytes }: Document): Promise<Reading> {
  try {
    const { text: found, assumed } = await textOf(form, bytes, contentType, maxTextBytes);
    const text = storable(found);
    const size = Buffer.byteLength(text);
    if (size > maxTextBytes) return { kind: 'too-large', size };
    return { kind: 'text', text, ...(assumed && { assumed }) };
  } catch (error) {
    if (error instanceof UnreadablePdf || error instanceof NoText) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

async function textOf(
  form: Document['form'],
  bytes: Uint8Array,
  contentType: string,
  enough: number,
): Promise<Decoded> {
  if (form === 'pdf') return pdfText(bytes, enough);
  const decoded = decodeText(bytes, contentType, form, detectCharset);
  return form === 'html' ? { ...decoded, text: htmlText(decoded.text) } : decoded;
}
