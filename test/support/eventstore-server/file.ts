import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createStore, type Store, type Transaction } from './store.js';

/**
 * A store that is kept in a file, one line for each append. A line that a kill has cut off is removed: its append was not
 * answered, and none of its events is there.
 */
export function openStore(path: string): { readonly store: Store; close(): void } {
  const text = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const end = text.lastIndexOf(0x0a) + 1;
  const store = createStore(linesOf(text.subarray(0, end)));
  const file = openSync(path, 'a');
  ftruncateSync(file, end);
  store.persistTo((transaction) => writeAll(file, Buffer.from(`${lineOf(transaction)}\n`)));
  return { store, close: () => closeSync(file) };
}

interface Line {
  readonly s: string;
  readonly t: number;
  /** Id, type, content type, data and metadata; bytes in base64. */
  readonly e: readonly (readonly [string, string, string, string, string])[];
}

function lineOf({ stream, createdMs, events }: Transaction): string {
  const line: Line = {
    s: stream,
    t: createdMs,
    e: events.map((one) => [one.id, one.type, one.contentType, base64(one.data), base64(one.customMetadata)]),
  };
  return JSON.stringify(line);
}

function* linesOf(text: Buffer): Generator<Transaction> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(0x0a, from);
    const { s, t, e }: Line = JSON.parse(text.toString('utf8', from, end));
    yield {
      stream: s,
      createdMs: t,
      events: e.map(([id, type, contentType, data, metadata]) => ({
        id,
        type,
        contentType,
        data: Buffer.from(data, 'base64'),
        customMetadata: Buffer.from(metadata, 'base64'),
      })),
    };
    from = end + 1;
  }
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');

function writeAll(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
