/** A hash of 64 bits, as two unsigned numbers of 32. */
export interface Hash {
  readonly high: number;
  readonly low: number;
}

/**
 * PostgreSQL's hash of a text, `hashtextextended`: lookup3 of Bob Jenkins (2006), with a seed of 64 bits. The tables of the index hold
 * these hashes, and queries compute them in SQL; what is written has more words, so they are hashed here, without a statement.
 * @param bytes of the text in UTF-8, a character for each: see `utf8`
 * @see https://burtleburtle.net/bob/c/lookup3.c
 */
export function textHash(bytes: string, seed: Hash = noSeed): Hash {
  const { length } = bytes;
  const initial = (0x9e3779b9 + length + 3_923_095) | 0;
  let [a, b, c, at] = [initial, initial, initial, 0];
  let isSeeded = seed.high === 0 && seed.low === 0;
  while (!isSeeded || length - at >= 12) {
    if (isSeeded) {
      a = (a + wordAt(bytes, at, 4)) | 0;
      b = (b + wordAt(bytes, at + 4, 4)) | 0;
      c = (c + wordAt(bytes, at + 8, 4)) | 0;
      at += 12;
    } else {
      a = (a + seed.high) | 0;
      b = (b + seed.low) | 0;
      isSeeded = true;
    }
    a = (a - c) ^ turned(c, 4);
    c = (c + b) | 0;
    b = (b - a) ^ turned(a, 6);
    a = (a + c) | 0;
    c = (c - b) ^ turned(b, 8);
    b = (b + a) | 0;
    a = (a - c) ^ turned(c, 16);
    c = (c + b) | 0;
    b = (b - a) ^ turned(a, 19);
    a = (a + c) | 0;
    c = (c - b) ^ turned(b, 4);
    b = (b + a) | 0;
  }
  a = (a + wordAt(bytes, at, 4)) | 0;
  b = (b + wordAt(bytes, at + 4, 4)) | 0;
  // The lowest byte of the last word is for the length.
  c = (c + (wordAt(bytes, at + 8, 3) << 8)) | 0;
  return finished(a, b, c);
}

function finished(first: number, second: number, third: number): Hash {
  let [a, b, c] = [first, second, third];
  c = ((c ^ b) - turned(b, 14)) | 0;
  a = ((a ^ c) - turned(c, 11)) | 0;
  b = ((b ^ a) - turned(a, 25)) | 0;
  c = ((c ^ b) - turned(b, 16)) | 0;
  a = ((a ^ c) - turned(c, 4)) | 0;
  b = ((b ^ a) - turned(a, 14)) | 0;
  c = ((c ^ b) - turned(b, 24)) | 0;
  return { high: b >>> 0, low: c >>> 0 };
}

const noSeed: Hash = { high: 0, low: 0 };

const turned = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/** At most this number of bytes from here on, the first of them the lowest. Behind the end there are none. */
function wordAt(bytes: string, at: number, most: number): number {
  let word = 0;
  const end = Math.min(bytes.length - at, most);
  for (let i = 0; i < end; i += 1) word |= bytes.charCodeAt(at + i) << (8 * i);
  return word;
}

/** The UTF-8 of a text, a character for each byte. Such texts are compared as PostgreSQL compares bytes, in a tenth of the time of buffers. */
export const utf8 = (text: string): string => (onlyAscii.test(text) ? text : Buffer.from(text).toString('latin1'));

const onlyAscii = /^[\0-\x7f]*$/;

/** As SQL writes it, where it is a signed number. */
export const decimal = ({ high, low }: Hash): string => String(BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low)));
