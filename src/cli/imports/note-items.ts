import { detectCharset } from '../../adapters/extract/charset-detector.js';
import { decodeText, NoText, UncertainCharset } from '../../domain/charset/decode.js';
import { readNote } from '../../domain/imports/basic-memory.js';
import type { ImportItem } from '../../domain/imports/imported.js';
import { type NoteFile, noteFiles } from './notes.js';

/**
 * The notes of a directory of basic-memory, or of a ZIP archive of one.
 * @throws Error when it is neither, or has no notes
 */
export async function* noteItems(
  path: string,
  report: (done: number, total: number | null) => void,
): AsyncGenerator<ImportItem> {
  let notes = 0;
  for await (const file of noteFiles(path, report)) {
    notes += 1;
    yield { place: file.path, memory: memoryOf(file) };
  }
  if (notes === 0) throw new Error(`There are no notes in ${path}: no name of a file in it ends with .md.`);
}

/** A note that is not in UTF-8 is read as an imported file is: by what its bytes say, and with what was assumed. */
function memoryOf({ path, bytes }: NoteFile): ImportItem['memory'] {
  if (typeof bytes === 'string') return bytes;
  try {
    const { text, assumed } = decodeText(bytes, '', 'text', detectCharset);
    const memory = readNote(path, text);
    return assumed === undefined
      ? memory
      : { ...memory, assumed: [...sentencesOf(assumed), ...(memory.assumed ?? [])] };
  } catch (error) {
    if (error instanceof UncertainCharset) return 'it is not UTF-8, and its charset is not certain: write it as UTF-8';
    if (error instanceof NoText) return error.message;
    throw error;
  }
}

function sentencesOf({ charset, replaced }: { charset?: string | undefined; replaced?: number | undefined }): string[] {
  return [
    ...(charset === undefined ? [] : [`it is not UTF-8, and was read as ${charset}`]),
    ...(replaced === undefined ? [] : [`${replaced} of its bytes are not UTF-8, and became U+FFFD`]),
  ];
}
