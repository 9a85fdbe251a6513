import { contentHash } from '../../domain/content.js';
import { NotAnExport, splitValues } from '../../domain/export-pages.js';
import {
  type ImportedMemory,
  type ImportItem,
  type ImportReport,
  LeftOut,
  NotImportable,
} from '../../domain/imports/imported.js';
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
  const remarkOn = rememberIds();
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
      const place = `memory ${memories}`;
      const memory = orReason(() => readMem0Record(record));
      const remark = typeof memory === 'string' ? null : remarkOn(place, memory);
      if (remark !== null) report.assumed(place, remark);
      yield { place, memory };
    }
  }
  count.end();
  if (values === 0) throw new NotAnExport('there is nothing in it');
}

/** More ids than this are not remembered. */
const mostIds = 500_000;

/**
 * Files with events may have a memory more than once: as it was added, changed and deleted. Each text is written when it is read, so a
 * later event about it can only be named.
 */
function rememberIds(): (place: string, memory: ImportedMemory | LeftOut) => string | null {
  const seen = new Map<string, { place: string; hash: string }>();
  return (place, memory) => {
    const before = memory.source === null ? undefined : seen.get(memory.source);
    if (memory instanceof LeftOut) {
      return before ? `${before.place} has the same id and is written: delete it in the service` : null;
    }
    // Half of a hash is enough to distinguish two texts of one memory.
    const hash = contentHash(memory.content).slice(0, 32);
    if (memory.source !== null && memory.source !== 'mem0' && seen.size < mostIds)
      seen.set(memory.source, { place, hash });
    return before && before.hash !== hash ? `${before.place} has the same id and another text: both are written` : null;
  };
}

/** The sentence that says why, where something is not importable. */
function orReason<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotImportable) return error.message;
    throw error;
  }
}
