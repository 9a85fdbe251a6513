import { Worker } from 'node:worker_threads';
import { charsetOfPage, decodeText } from '../../domain/charset.js';
import { storable } from '../../domain/storable.js';
import { htmlText } from './html-text.js';
import type { Document, Reading } from './messages.js';
import { pdfText, UnreadablePdf } from './pdf-text.js';

/**
 * Reads one document in a separate process, which has no secrets, no socket except the one to its parent, and no data
 * of other documents. If a document makes it fail, the service only sees that it ends. It limits its own memory and
 * time, so that it also ends if the service has been killed.
 */
const [memoryMb, timeoutMs] = process.argv.slice(2).map(Number);
new Worker(new URL('./watchdog.js', import.meta.url), { workerData: { memoryMb, timeoutMs } }).unref();

process.once('message', (document: Document) => {
  void read(document).then((reading) => process.send?.(reading, () => process.exit()));
});

async function read({ form, bytes, charset, maxTextBytes }: Document): Promise<Reading> {
  try {
    const found =
      form === 'pdf'
        ? await pdfText(bytes, maxTextBytes)
        : htmlText(decodeText(bytes, charset ?? charsetOfPage(bytes)));
    const text = storable(found);
    const size = Buffer.byteLength(text);
    return size > maxTextBytes ? { kind: 'too-large', size } : { kind: 'text', text };
  } catch (error) {
    if (error instanceof UnreadablePdf) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}
