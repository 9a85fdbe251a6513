import { Worker } from 'node:worker_threads';
import { charsetOfPage, decodeText } from '../../domain/charset.js';
import { storable } from '../../domain/storable.js';
import { htmlText } from './html-text.js';
import type { Document, Reading } from './messages.js';
import { pdfText, UnreadablePdf } from './pdf-text.js';

/**
 * Reads one document in a process of its own, which holds no secret, no socket but the one to its parent, and nothing of
 * other documents. Whatever a document does to it, its end is all that the service sees. It bounds itself, so that one
 * whose service was killed meanwhile comes to its end too.
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
