/** The most bytes of a text that is sent as one memory: the most that a memory holds. */
export const memoryBytes = 1_048_576;

/**
 * The most bytes of one part of a longer text. The service limits a memory behind redaction too, which makes short values longer: a text
 * of nothing but the shortest addresses, `a@b.co`, grows by 4 bytes in 7. With less room, single parts of a file would be refused.
 */
export const partBytes = 640 * 1024;

const lineFeed = 10;

/**
 * The end of the first part of a text in UTF-8: behind the last line that fits whole, or where not even one does, between two code
 * points.
 */
export function endOfPart(text: Uint8Array, most = partBytes): number {
  if (text.length <= most) return text.length;
  const line = text.lastIndexOf(lineFeed, most - 1);
  if (line >= 0) return line + 1;
  let end = most;
  while (end > 0 && isInside(text[end])) end -= 1;
  return end;
}

/** Whether a byte continues a code point that began before it. */
const isInside = (byte = 0): boolean => (byte & 0xc0) === 0x80;

/** The parts of a text that comes in pieces. Joined they are the text, however it was cut into pieces. */
export async function* partsOf(pieces: AsyncIterable<Uint8Array>, most = partBytes): AsyncGenerator<Uint8Array> {
  let rest = new Uint8Array();
  for await (const piece of pieces) {
    let waiting = joined(rest, piece);
    while (waiting.length > most) {
      const end = endOfPart(waiting, most);
      yield waiting.subarray(0, end);
      waiting = waiting.subarray(end);
    }
    rest = waiting;
  }
  if (rest.length > 0) yield rest;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
