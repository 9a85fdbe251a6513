import { sha256 } from '@noble/hashes/sha2.js';
import { partsOf } from './split.js';

/** A file is read in pieces of this size, so that a large one is never in memory as a whole. */
const pieceBytes = 4 * 1024 * 1024;

/** A file with the name that it is stored under: for a file of a folder its path. */
export interface Named {
  readonly name: string;
  readonly file: Blob;
}

/** A file that is no text, as a sentence. */
export class NoText extends Error {}

export async function* piecesOf(file: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += pieceBytes)
    yield new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer());
}

/**
 * The text of a file as UTF-8 without a mark. @throws NoText for one that is neither UTF-8 nor UTF-16 with a mark, or that has NUL, which
 * nothing can store
 */
export async function* textOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoders: InstanceType<typeof TextDecoder>[] = [];
  const encoder = new TextEncoder();
  const checked = (decode: () => string): Uint8Array => {
    let text: string;
    try {
      text = decode();
    } catch {
      throw new NoText('It is neither UTF-8 nor UTF-16 with a mark. Save it as UTF-8, and drop it again.');
    }
    if (text.includes('\0')) throw new NoText('It has NUL characters, so it is no text that can be stored.');
    return encoder.encode(text);
  };
  for await (const piece of pieces) {
    const decoder = decoders[0] ?? new TextDecoder(charsetOf(piece), { fatal: true });
    decoders[0] = decoder;
    yield checked(() => decoder.decode(piece, { stream: true }));
  }
  // A character that begins and does not end is found only here.
  yield checked(() => decoders[0]?.decode() ?? '');
}

/** The charset that the mark at the beginning says. */
export function charsetOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** The parts of a file as texts. */
export async function* textsOf({ file }: Named): AsyncGenerator<string> {
  // A part may begin with the character of the mark, which belongs to the text then.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const part of partsOf(textOf(piecesOf(file)))) yield decoder.decode(part);
}

/**
 * Reads a file once before anything of it is sent: how many parts it has is part of each, and one that is no text is refused whole.
 * @returns the digest of its name and bytes, and the number of its parts
 */
export async function survey({ name, file }: Named): Promise<{ readonly digest: string; readonly parts: number }> {
  const hash = sha256.create().update(new TextEncoder().encode(`${name}\n`));
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const piece of piecesOf(file)) {
      hash.update(piece);
      yield piece;
    }
  }
  let parts = 0;
  for await (const _ of partsOf(textOf(hashed()))) parts += 1;
  return { digest: hex(hash.digest()), parts };
}

/** The digest of a file that is sent as it is. */
export async function digestOf({ name, file }: Named): Promise<string> {
  const hash = sha256.create().update(new TextEncoder().encode(`${name}\n`));
  for await (const piece of piecesOf(file)) hash.update(piece);
  return hex(hash.digest());
}

/** The key under which a part is stored once, however often it is sent. */
export function keyOf(digest: string, part: number, namespace: string): string {
  return hex(sha256(new TextEncoder().encode(`${digest}\n${part}\n${namespace}`)));
}

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
