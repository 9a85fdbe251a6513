import { isUtf8 } from 'node:buffer';
import type { Assumed } from '../../contracts/assumed.js';
import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import { hasText } from '../../contracts/text.js';
import type { Extractor } from '../adapters/extract/extractor.js';
import { NotAllowed, type PublicAnswer, type PublicFetch, TooLarge, Unavailable } from '../adapters/public-fetch.js';
import { type Decoded, decodeText, NoText } from '../domain/charset/decode.js';
import { type Form, formOf, formOfPage, type NotRead } from '../domain/import-form.js';
import { createQueue } from '../domain/queue.js';

/** A text, a file or a page that a caller wants to store as a memory. */
export type Source =
  | { readonly kind: 'text'; readonly content: string }
  | { readonly kind: 'file'; readonly filename: string; readonly contentType: string; readonly bytes: Uint8Array }
  | { readonly kind: 'url'; readonly text: string; readonly url: URL };

export interface Imported {
  readonly content: string;
  /** The file name or the URL that it came from; null for a text. */
  readonly label: string | null;
  /** The assumptions of its reader; absent when it made none. */
  readonly assumed?: Assumed;
}

/**
 * Extracts the text of a source. Nothing is stored. @throws Refusal
 * @param workspaceId the documents of several workspaces are read alternately
 */
export type Imports = (source: Source, workspaceId: string) => Promise<Imported>;

interface Extracted {
  readonly form: Form;
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

interface ImportParts {
  readonly fetch: PublicFetch;
  readonly extractor: Extractor;
}

/**
 * Pages that are fetched at the same time, all and those of one workspace: a page may take its whole time limit to come. With
 * those that wait they can become as large as this together.
 */
const fetching = { atOnce: 16, heldBytes: 40 * limits.sourceBytes, own: { atOnce: 4 } };

const headers = {
  accept: 'text/html, application/xhtml+xml, application/pdf, text/*;q=0.9, application/json;q=0.9, */*;q=0.1',
  'accept-encoding': 'gzip, deflate, br',
  'user-agent': 'counterfoil/0.1',
};

export function createImports({ fetch, extractor }: ImportParts): Imports {
  const queue = createQueue(fetching);

  async function fetchPage(url: URL, workspaceId: string): Promise<PublicAnswer> {
    const { fetchMs: timeoutMs, sourceBytes: maxBytes, redirects } = limits;
    const request = { method: 'GET', headers, timeoutMs, maxBytes, redirects } as const;
    const answer = await queue({ owner: workspaceId, bytes: maxBytes }, () => fetch(url, request));
    if (answer.status < 200 || answer.status > 299) throw new Unavailable(`it answered ${answer.status}`);
    return answer;
  }

  async function extract(document: Extracted, workspaceId: string): Promise<Decoded> {
    const reading = await extractor.read({ ...document, maxTextBytes: limits.contentBytes }, workspaceId);
    if (reading.kind === 'text') return reading;
    if (reading.kind === 'unreadable') throw new Unreadable(document.form, reading.reason);
    throw tooLarge(reading.size);
  }

  async function textOf(form: Form | NotRead, bytes: Uint8Array, contentType: string, workspaceId: string) {
    if (typeof form !== 'string') throw new Unreadable('text', form.notRead);
    const isPlain = form === 'text' && isUtf8(bytes) && !bytes.includes(0) && !bytes.includes(escapeByte);
    if (!isPlain) return extract({ form, bytes, contentType }, workspaceId);
    if (bytes.length > limits.contentBytes + markBytes) throw tooLarge(bytes.length);
    try {
      return decodeText(bytes, contentType, form, () => null);
    } catch (error) {
      throw error instanceof NoText ? new Unreadable(form, error.message) : error;
    }
  }

  return async (source, workspaceId) => {
    try {
      switch (source.kind) {
        case 'text':
          return { content: withText(source.content), label: null };
        case 'file': {
          const { filename, contentType, bytes } = source;
          if (bytes.length === 0) throw new Refusal('no_text');
          const form = formOf(filename, contentType, bytes);
          return imported(await textOf(form, bytes, contentType, workspaceId), filename);
        }
        case 'url': {
          const { url, contentType, body } = await fetchPage(source.url, workspaceId);
          const form = formOfPage(new URL(url), contentType, body);
          return imported(await textOf(form, body, contentType, workspaceId), source.text);
        }
        default:
          return source satisfies never;
      }
    } catch (error) {
      throw refusalOf(error, source.kind);
    }
  };
}

/** Why something has no text, as half a sentence. */
class Unreadable extends Error {
  constructor(
    readonly form: Form,
    reason: string,
  ) {
    super(reason);
  }
}

/** Plain UTF-8 needs no process of its own: decoding 1 MiB of it takes 2 ms. Escapes may be those of ISO-2022. */
const escapeByte = 0x1b;
const markBytes = 3;

function tooLarge(size: number): Refusal {
  return new Refusal('content_too_large', 'The text of this is over 1 MiB of UTF-8.', {
    limit_bytes: limits.contentBytes,
    size_bytes: size,
  });
}

function imported({ text, assumed }: Decoded, label: string): Imported {
  return { content: withText(text), label, ...(assumed && { assumed }) };
}

/** A blank text has no word by which it could be found. */
function withText(text: string): string {
  if (!hasText(text)) throw new Refusal('no_text');
  return text;
}

function refusalOf(error: unknown, kind: Source['kind']): unknown {
  if (error instanceof NotAllowed) return new Refusal('url_not_allowed', error.message);
  if (error instanceof Unavailable) return new Refusal('fetch_failed', `This could not be fetched: ${error.message}.`);
  if (error instanceof TooLarge) {
    return new Refusal('source_too_large', undefined, { limit_bytes: error.limit, size_bytes: error.size });
  }
  if (error instanceof Unreadable) {
    if (error.form === 'pdf') return new Refusal('unreadable_pdf', `This PDF cannot be read: ${error.message}.`);
    const code = kind === 'url' ? 'unsupported_url' : 'unsupported_file';
    return new Refusal(code, `This cannot be imported: ${error.message}.`);
  }
  return error;
}
