import {
  type ExportedMemory,
  type ExportPage,
  NotAnExport,
  OtherFormat,
  readExportedMemory,
  readExportPage,
  splitPages,
} from '../../domain/export-pages.js';
import type { ImportItem, ImportReport } from '../../domain/imports/imported.js';

type Chunks = AsyncIterable<Uint8Array | string>;

/**
 * The memories of an export of this service.
 * @throws NotAnExport
 */
export async function* exportItems(chunks: Chunks, report: ImportReport): AsyncGenerator<ImportItem> {
  let pages = 0;
  let more = true;
  for await (const text of splitPages(chunks)) {
    pages += 1;
    const page = readPage(text, pages);
    more = page.next !== null;
    for (const [index, memory] of page.memories.entries()) {
      yield { place: `page ${pages}, memory ${index + 1}`, memory: memoryOrReason(memory) };
    }
  }
  if (pages === 0) throw new NotAnExport('there is nothing in it');
  if (more) report.incomplete('the last page names a next one that is not there: this is not the whole export');
}

function readPage(text: string, number: number): ExportPage {
  try {
    return readExportPage(text);
  } catch (error) {
    if (!(error instanceof NotAnExport)) throw error;
    const advice = error instanceof OtherFormat ? ': what mem0 writes is imported with --from mem0' : '';
    throw new NotAnExport(`page ${number}: ${error.message}${advice}`);
  }
}

function memoryOrReason(text: string): ExportedMemory | string {
  try {
    return readExportedMemory(text);
  } catch (error) {
    if (error instanceof NotAnExport) return error.message;
    throw error;
  }
}
