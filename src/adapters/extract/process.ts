import { Worker } from 'node:worker_threads';
import { builtFile } from '../../base/built-file.js';
import type { Document } from './messages.js';
import { readDocument } from './read-document.js';

/**
 * Reads one document in a separate process, which has no secrets, no socket except the one to its parent, and no data
 * of other documents. If a document makes it fail, the service only sees that it ends. It limits its own memory and
 * time, so that it also ends if the service has been killed.
 */
const [memoryMb, cpuMs, wallMs] = process.argv.slice(2).map(Number);
new Worker(builtFile('adapters/extract/watchdog.js'), { workerData: { memoryMb, cpuMs, wallMs } }).unref();

process.once('message', (document: Document) => {
  void readDocument(document).then((reading) => process.send?.(reading, () => process.exit()));
});
