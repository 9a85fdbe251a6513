import { readNote } from '../../domain/imports/basic-memory.js';
import type { ImportItem } from '../../domain/imports/imported.js';
import { orReason } from './mem0-items.js';
import { type NoteFile, noteFiles } from './notes.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The notes of a directory of basic-memory, or of a ZIP archive of one. */
export async function* noteItems(
  path: string,
  report: (done: number, total: number | null) => void,
): AsyncGenerator<ImportItem> {
  for await (const file of noteFiles(path, report)) yield { place: file.path, memory: memoryOf(file) };
}

function memoryOf({ path, bytes }: NoteFile): ImportItem['memory'] {
  if (typeof bytes === 'string') return bytes;
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return 'it is not UTF-8';
  }
  return orReason(() => readNote(path, text));
}
