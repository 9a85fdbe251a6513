import { isDeepStrictEqual } from 'node:util';
import { type Part, partsOf } from '../base/json-outline.js';

/** The member that keeps the spelling of metadata in a file with a page on each line. */
export const spelling = 'metadata_text';

const lineBreaks = /[\r\n]/g;

/**
 * A page of an export on one line. Metadata are exported as they were sent, and so may have line ends, which JSON allows between values
 * only. They become spaces, and the memory gets the text of its metadata as a string, so that an import has every byte of it.
 * @param page JSON text that was read before
 */
export function pageLine(page: string): string {
  if (page.search(lineBreaks) < 0) return page;
  const pieces: string[] = [];
  let from = 0;
  for (const { text, to } of broken(page)) {
    pieces.push(page.slice(from, to).replace(lineBreaks, ' '), `,"${spelling}":${JSON.stringify(text)}`);
    from = to;
  }
  return [...pieces, page.slice(from).replace(lineBreaks, ' ')].join('');
}

/** The metadata that have line ends: the text of each, and the offset of its end in the page. */
function broken(page: string): { text: string; to: number }[] {
  const named = (parts: readonly Part[], wanted: string) => parts.find(({ name }) => name === wanted);
  const memories = named(partsOf(page, 3), 'data')?.parts ?? [];
  return memories.flatMap(({ parts }) => {
    const metadata = named(parts, 'metadata');
    if (!metadata || named(parts, spelling)) return [];
    const text = page.slice(metadata.from, metadata.to);
    return text.search(lineBreaks) < 0 ? [] : [{ text, to: metadata.to }];
  });
}

/**
 * The text of metadata as it was exported, for an import.
 * @param metadata the JSON text in the file
 * @param kept the member beside it that keeps the spelling, if there is one
 * @returns null if the kept spelling is that of other metadata, because the file was changed since
 */
export function spelledMetadata(metadata: string, kept: unknown): string | null {
  if (kept === undefined) return metadata;
  if (typeof kept !== 'string' || !isSame(metadata, kept)) return null;
  return kept;
}

function isSame(metadata: string, kept: string): boolean {
  if (kept.replace(lineBreaks, ' ') === metadata) return true;
  try {
    return isDeepStrictEqual(JSON.parse(metadata), JSON.parse(kept));
  } catch {
    return false;
  }
}
