import { NotAnExport, splitValues } from '../../domain/export-pages.js';
import { type ImportedMemory, type ImportItem, NotImportable } from '../../domain/imports/imported.js';
import { mem0Records, readMem0Record } from '../../domain/imports/mem0.js';

/**
 * The memories of an export of mem0: lists, pages of get_all, or one memory on each line.
 * @throws NotAnExport when it is no JSON at all
 */
export async function* mem0Items(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<ImportItem> {
  let values = 0;
  let memories = 0;
  for await (const text of splitValues(chunks, '{[')) {
    values += 1;
    const records = orReason(() => mem0Records(text));
    if (typeof records === 'string') yield { place: `value ${values}`, memory: records };
    else {
      for (const record of records) {
        memories += 1;
        yield { place: `memory ${memories}`, memory: orReason((): ImportedMemory => readMem0Record(record)) };
      }
    }
  }
  if (values === 0) throw new NotAnExport('there is nothing in it');
}

/** The sentence that says why, where something is not importable. */
export function orReason<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotImportable) return error.message;
    throw error;
  }
}
