/** A line of a file or of standard input. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Whether the end of the line was left out, because the line is too long. */
  readonly cut: boolean;
  /** The last kilobyte of a line that was cut; empty for other lines. */
  readonly tail: Uint8Array;
  /** The offset in the file of the line after this one. */
  readonly end: number;
}

/** The place at which reading begins. */
interface Place {
  readonly line: number;
  readonly offset: number;
}

/** Far more than a receipt may have. Of a longer line only the beginning and the tail are held in memory. */
export const longestLine = 1024 * 1024;
const tailBytes = 1024;

/**
 * Divides bytes into lines, without holding more than one of them. A line ends with a line feed, and the last one may end
 * with the file.
 * @param place the number and the offset of the first line
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array | string>,
  place: Place,
  longest = longestLine,
): AsyncGenerator<Line> {
  let { line: number, offset } = place;
  let pieces: Uint8Array[] = [];
  let tail: Uint8Array = new Uint8Array();
  let length = 0;
  const take = (bytes: Uint8Array) => {
    const room = longest - length;
    if (room > 0) pieces.push(bytes.subarray(0, room));
    length += bytes.length;
    if (bytes.length > room - tailBytes) tail = Buffer.concat([tail, bytes.subarray(-tailBytes)]).subarray(-tailBytes);
  };
  const line = (end: number): Line => {
    const bytes = Buffer.concat(pieces);
    const cut = length > longest;
    const made = { number, bytes, cut, tail: cut ? tail : new Uint8Array(), end };
    pieces = [];
    tail = new Uint8Array();
    length = 0;
    number += 1;
    return made;
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    let from = 0;
    for (let to = bytes.indexOf(0x0a); to >= 0; to = bytes.indexOf(0x0a, from)) {
      take(bytes.subarray(from, to));
      from = to + 1;
      yield line(offset + from);
    }
    take(bytes.subarray(from));
    offset += bytes.length;
  }
  if (length > 0) yield line(offset);
}
