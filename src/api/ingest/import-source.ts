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

/** Base64 as RFC 4648 writes it: padded, and no bit set that is not of a byte. It may have lines, as in e-mails and PEM files. */
function decoded(base64: string): Uint8Array {
  // It ignores line breaks, and everything else that is no base64: so the bytes are written again and compared.
  const bytes = Buffer.from(base64, 'base64');
  const again = bytes.toString('base64');
  if (again !== base64 && !isInLines(Buffer.from(base64), Buffer.from(again))) {
    throw new Refusal('invalid_file', 'data_base64 is not valid base64.');
  }
  if (bytes.length > limits.sourceBytes) throw tooLarge(bytes.length);
  return bytes;
}

const [lineFeed, carriageReturn] = [10, 13];
/** Programs write lines of 64 or 76 characters. A text of shorter ones is refused, because each line takes its time. */
const shortestLine = 32;

/** Whether `text` is `plain` with line breaks. */
function isInLines(text: Buffer, plain: Buffer): boolean {
  let at = 0;
  for (let from = 0; from < text.length; ) {
    const found = text.indexOf(lineFeed, from);
    const next = found < 0 ? text.length : found;
    const end = found > from && text[found - 1] === carriageReturn ? found - 1 : next;
    const length = end - from;
    if (length < shortestLine && at + length < plain.length) return false;
    if (at + length > plain.length) return false;
    if (text.compare(plain, at, at + length, from, end) !== 0) return false;
    at += length;
    from = next + 1;
    if (at === plain.length) return text.length - from <= 2;
  }
  return at === plain.length;
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
