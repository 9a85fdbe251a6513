import { createReadStream } from 'node:fs';
import { type EntryRange, longestEntry, openRange, type RangeReader } from '../verifier/range.js';
import { linesOf } from './lines.js';

/** Reads a file with an entry on each line, in memory that does not grow with the file. */
export async function readRange(path: string): Promise<EntryRange> {
  const reader = openRange();
  await readLines(path, reader);
  return reader.range();
}

/** The end of the last whole line in bytes, and the length of the file. Nothing behind a fault is read. */
interface FileEnd {
  readonly whole: number;
  readonly length: number;
  /** The last whole line; null when there is none. */
  readonly last: Uint8Array | null;
}

/**
 * Gives the lines of a file to the reader.
 * @param mayEndEarly whether a last line without a line feed is left out, as an interrupted export leaves one
 */
export async function readLines(path: string, reader: RangeReader, mayEndEarly = false): Promise<FileEnd> {
  let end = { whole: 0, length: 0 };
  let last: Uint8Array | null = null;
  for await (const { bytes, cut, end: at } of linesOf(
    createReadStream(path),
    { line: 1, offset: 0 },
    longestEntry + 1,
  )) {
    // A line that ends with a line feed has one byte more in the file.
    const isWhole = cut || at - end.length > bytes.length;
    if (!isWhole && mayEndEarly) return { whole: end.whole, length: at, last };
    if (cut) reader.fail(`Line ${reader.range().size + 1} of the file is longer than an entry`);
    reader.take(bytes);
    if (reader.range().fault !== null) return { ...end, last };
    end = { whole: at, length: at };
    last = bytes;
  }
  return { ...end, last };
}
