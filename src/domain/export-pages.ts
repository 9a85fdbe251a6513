import { limits } from '../../contracts/limits.js';
import { elementTexts, isObject } from '../base/json-text.js';
import { contentHash } from './content.js';
import { spelledMetadata, spelling } from './export-lines.js';
import { type JsonObject, jsonObjectOrReason } from './read-json.js';

export const exportFormat = 'service-memories/1';

/** A page has about 8 MiB of content and metadata. Every byte that is escaped as \u00xx takes six. */
export const maxPageBytes = 8 * limits.exportPageBytes;

/** A page wraps its memories in an object and a list. */
const pageDepth = limits.jsonDepth + 2;

/** The values of a page. A page of numbers alone would need gigabytes of memory. */
const mostValues = 4_000_000;

/** Thrown when the input is not an export. The message says why and contains nothing of the input. */
export class NotAnExport extends Error {}

/** JSON that is not written by this service. */
export class OtherFormat extends NotAnExport {}

export interface ExportPage {
  /** The JSON text of each memory, unchanged. */
  readonly memories: readonly string[];
  /** The cursor of the page after this one; null on the last. */
  readonly next: string | null;
}

/** The fields of an exported memory that an import writes again. */
export interface ExportedMemory {
  readonly content: string;
  readonly metadata: string;
  readonly source: string | null;
  readonly playground: boolean;
  readonly namespace: string;
  /** The reason, of a memory that was invalidated; otherwise null. */
  readonly invalidated: string | null;
  /** Sentences about what was not taken as the file has it. */
  readonly assumed: readonly string[];
}

/** @throws NotAnExport */
export function readExportPage(text: string): ExportPage {
  const { value, texts } = readObject(text, pageDepth);
  const { format, data, next_cursor: next } = value;
  if (format !== exportFormat) throw new OtherFormat(`its format is not ${exportFormat}`);
  if (!Array.isArray(data)) throw new NotAnExport('it has no list of memories in data');
  if (next !== null && typeof next !== 'string') throw new NotAnExport('its next_cursor is neither a text nor null');
  return { memories: elementTexts(texts.get('data') ?? '[]'), next };
}

/** @throws NotAnExport */
export function readExportedMemory(text: string): ExportedMemory {
  const { value, texts } = readObject(text, limits.jsonDepth);
  const { content, metadata = {}, source = null, playground = false, namespace, invalidated = null } = value;
  const name = isObject(namespace) ? namespace.name : undefined;
  if (typeof content !== 'string') throw new NotAnExport('content is not a text');
  if (!isObject(metadata)) throw new NotAnExport('metadata is not an object');
  if (source !== null && typeof source !== 'string') throw new NotAnExport('source is neither a text nor null');
  if (typeof playground !== 'boolean') throw new NotAnExport('playground is neither true nor false');
  if (typeof name !== 'string') throw new NotAnExport('namespace has no name');
  const reason = reasonOf(invalidated);
  if (reason === undefined) throw new NotAnExport('invalidated is neither null nor an object with a reason');
  const given = texts.get('metadata') ?? '{}';
  const spelled = spelledMetadata(given, value[spelling]);
  return {
    content,
    metadata: spelled ?? given,
    source,
    playground,
    namespace: name,
    invalidated: reason,
    assumed: [
      ...(spelled === null ? [`${spelling} does not mean the same as metadata: metadata was taken`] : []),
      ...remarksOn(value),
    ],
  };
}

/** The members of an exported memory. The importing service makes new values of those that it does not write again. */
const members: ReadonlySet<string> = new Set([
  ...['id', 'namespace_id', 'namespace', 'content', 'content_hash', 'metadata', spelling, 'source', 'provenance'],
  ...['playground', 'status', 'receipt_id', 'invalidated', 'assumed', 'created_at', 'updated_at'],
]);

function remarksOn(value: JsonObject['value']): string[] {
  const { content, content_hash: hash, assumed } = value;
  const isChanged = typeof hash === 'string' && typeof content === 'string' && contentHash(content) !== hash;
  const others = Object.keys(value).filter((name) => !members.has(name));
  return [
    ...(isChanged ? ['the text was changed since it was exported: its content_hash is another'] : []),
    ...(assumed === undefined
      ? []
      : ['the receipt here does not say what was assumed when the text was read from a file']),
    ...(others.length === 0
      ? []
      : [
          `not read: ${others
            .slice(0, 12)
            .map((name) => name.slice(0, 40))
            .join(', ')}`,
        ]),
  ];
}

/** Exports of versions that could not invalidate memories have no such member. */
function reasonOf(invalidated: unknown): string | null | undefined {
  if (invalidated === null) return null;
  if (!isObject(invalidated)) return undefined;
  const { reason } = invalidated;
  if (reason === null) return 'Invalidated where it was exported; the reason is lost.';
  return typeof reason === 'string' ? reason : undefined;
}

function readObject(text: string, depth: number): JsonObject {
  const read = jsonObjectOrReason(text, { depth, values: mostValues });
  if (typeof read === 'string') throw new NotAnExport(read);
  return read;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const [quote, backslash, space] = [0x22, 0x5c, 0x20];
const isOpening = (byte: number) => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number) => byte === 0x7d || byte === 0x5d;
/** Files that were put together may have a byte order mark before each part. */
const isMark = (byte: number) => byteOrderMark.includes(byte);
const isBlank = (byte: number) => byte === space || byte === 0x0a || byte === 0x0d || byte === 0x09;

type Chunks = AsyncIterable<Uint8Array | string>;

/**
 * Yields the texts of consecutive pages and holds one page at a time. The end of a page is found by its brackets and
 * not by line ends, because metadata may contain the line ends with which it was sent.
 * @throws NotAnExport
 */
export function splitPages(chunks: Chunks): AsyncGenerator<string> {
  return splitValues(chunks, '{');
}

/**
 * The same for values that begin with one of these brackets.
 * @throws NotAnExport
 */
export async function* splitValues(chunks: Chunks, opening: '{' | '{['): AsyncGenerator<string> {
  const mayOpen = new Set(Buffer.from(opening));
  const scan = { depth: 0, inText: false, escaped: false };
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let first = true;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    if (first) requireText(bytes);
    first = false;
    let from = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const ended = step(scan, bytes[at] ?? 0, mayOpen);
      if (ended === 'outside') from = at + 1;
      if (ended !== 'end') continue;
      yield decode([...held, bytes.subarray(from, at + 1)]);
      held = [];
      heldBytes = 0;
      from = at + 1;
    }
    held.push(bytes.subarray(from));
    heldBytes += bytes.length - from;
    if (heldBytes > maxPageBytes) throw new NotAnExport(`it has a page of more than ${maxPageBytes} bytes`);
  }
  if (scan.depth > 0) throw new NotAnExport('it ends in the middle of a page');
}

/** Names what else people have in their hands, by its first bytes. @throws NotAnExport */
function requireText(bytes: Buffer): void {
  const [a, b] = bytes;
  if (a === 0x50 && b === 0x4b) throw new NotAnExport('it is a ZIP archive: unpack it, and import the JSON file in it');
  if (a === 0x1f && b === 0x8b) throw new NotAnExport('it is compressed by gzip: unpack it first');
  const isOther = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || a === 0 || b === 0;
  if (isOther) throw new NotAnExport('it is no UTF-8, and begins as UTF-16 or binary data: write it as UTF-8');
}

/** Reads one byte. Brackets and quotes are ASCII, whose bytes are part of no other character in UTF-8. */
function step(
  scan: { depth: number; inText: boolean; escaped: boolean },
  byte: number,
  mayOpen: ReadonlySet<number>,
): 'outside' | 'inside' | 'end' {
  if (scan.inText) {
    if (scan.escaped) scan.escaped = false;
    else if (byte === backslash) scan.escaped = true;
    else if (byte === quote) scan.inText = false;
    return 'inside';
  }
  if (scan.depth === 0) {
    if (isBlank(byte) || isMark(byte)) return 'outside';
    if (!mayOpen.has(byte))
      throw new NotAnExport(
        `it is not one page of JSON after another${isOpening(byte) ? ': what mem0 writes is imported with --from mem0' : ''}`,
      );
  }
  if (byte === quote) scan.inText = true;
  else if (isOpening(byte)) scan.depth += 1;
  else if (isClosing(byte)) scan.depth -= 1;
  return scan.depth === 0 ? 'end' : 'inside';
}

function decode(parts: readonly Uint8Array[]): string {
  try {
    return utf8.decode(Buffer.concat(parts));
  } catch {
    throw new NotAnExport('it is not UTF-8');
  }
}
