import { Refusal } from '../../../contracts/errors.js';
import type { InputOf } from '../../../contracts/input.js';
import { limits } from '../../../contracts/limits.js';
import type { ingestIn } from '../../../contracts/memory.js';
import type { Source } from '../../commands/imports.js';

/** The source of an import, from the fields of its kind. @throws Refusal with the code of the field that is wrong */
export function sourceOf(body: InputOf<typeof ingestIn>): Source {
  switch (body.kind) {
    case 'text':
      if (body.content === undefined) throw new Refusal('invalid_content');
      return { kind: 'text', content: body.content };
    case 'file':
      return {
        kind: 'file',
        filename: given(body.filename),
        contentType: body.content_type ?? '',
        bytes: decoded(given(body.data_base64)),
      };
    case 'url':
      return { kind: 'url', text: body.url ?? '', url: parsed(body.url ?? '') };
    default:
      return body.kind satisfies never;
  }
}

function given(text: string | undefined): string {
  if (text === undefined) throw new Refusal('invalid_file');
  return text;
}

/** Base64 as RFC 4648 writes it: padded, without line breaks, and no bit set that is not of a byte. */
function decoded(base64: string): Uint8Array {
  const size = Math.floor((base64.length * 3) / 4);
  // Known from the length: what is too large is not decoded first. Padding takes up to two bytes of it.
  if (size > limits.sourceBytes + 2) throw tooLarge(size);
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) throw new Refusal('invalid_file', 'data_base64 is not valid base64.');
  if (bytes.length > limits.sourceBytes) throw tooLarge(bytes.length);
  return bytes;
}

function tooLarge(size: number): Refusal {
  return new Refusal('source_too_large', undefined, { limit_bytes: limits.sourceBytes, size_bytes: size });
}

function parsed(text: string): URL {
  // Stricter than the parser, which repairs what it can: spaces, missing slashes and the like.
  if (!/^https?:\/\/[^\s\p{C}\\]+$/iu.test(text) || !URL.canParse(text)) throw new Refusal('invalid_url');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') throw new Refusal('invalid_url');
  return url;
}
