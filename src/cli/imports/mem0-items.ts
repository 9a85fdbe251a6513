import { NotAnExport, splitValues } from '../../domain/export-pages.js';
import { type ImportItem, type ImportReport, NotImportable } from '../../domain/imports/imported.js';
import { readMem0Record } from '../../domain/imports/mem0.js';
import { readMem0Value } from '../../domain/imports/mem0-lists.js';
import { createPageCount } from '../../domain/imports/pages.js';

/**
 * The memories of an export of mem0: lists, pages, answers of its commands, or one memory on each line.
 * @throws NotAnExport when it is no JSON at all
 */
export async function* mem0Items(
  chunks: AsyncIterable<Uint8Array | string>,
  report: ImportReport,
): AsyncGenerator<ImportItem> {
  const count = createPageCount((sentence) => report.incomplete(sentence));
  let values = 0;
  let memories = 0;
  for await (const text of splitValues(chunks, '{[')) {
    values += 1;
    const value = orReason(() => readMem0Value(text));
    if (typeof value === 'string') {
      yield { place: `value ${values}`, memory: value };
      continue;
    }
    for (const sentence of value.assumed) report.assumed(`value ${values}`, sentence);
    if (value.page !== null) count.page(value.page, values);
    for (const record of value.records) {
      memories += 1;
      yield { place: `memory ${memories}`, memory: orReason(() => readMem0Record(record)) };
    }
  }
  count.end();
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
