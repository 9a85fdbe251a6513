import { fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { defaultBounds, type Extractor, openExtractor } from '../../src/adapters/extract/extractor.js';
import type { Reading } from '../../src/adapters/extract/messages.js';
import { builtFile } from '../../src/base/built-file.js';
import { prose, wrapped } from '../corpus/make/pdf-draw.js';
import { textPdf } from './pdf.js';

const documentOf = (bytes: Uint8Array) =>
  ({ form: 'pdf', bytes, contentType: 'application/pdf', maxTextBytes: 1_048_576 }) as const;
const line = textPdf([['one line of a quiet workspace']]);
const book = textPdf(Array.from({ length: 352 }, (_, page) => wrapped(prose(330, 47 * page), 460)));

describe('the limits of a process that reads a document', () => {
  let extractor: Extractor | null = null;
  afterEach(() => extractor?.close());

  it.each([{ cpuMs: 300 }, { wallMs: 1 }])('ends it beyond %j', async (limit) => {
    extractor = openExtractor({ ...defaultBounds, ...limit });
    const tooLong = { kind: 'unreadable', reason: 'reading it takes too long' };
    expect(await extractor.read(documentOf(book), 'a workspace')).toEqual(tooLong);
  });

  it('count the time of the processor, and not that in which the process got none', async () => {
    const limits = { memoryMb: 448, cpuMs: 1000, wallMs: 60_000 };
    const child = fork(builtFile('adapters/extract/process.js'), Object.values(limits).map(String), {
      serialization: 'advanced',
    });
    await pause(limits.cpuMs + 200);
    const reading = new Promise<Reading | null>((resolve) => {
      child.once('message', (one: Reading) => resolve(one));
      child.once('close', () => resolve(null));
    });
    child.send(documentOf(line));
    expect(await reading).toEqual({ kind: 'text', text: 'one line of a quiet workspace' });
  });

  it('leave a place to small documents of others while workspaces send books', async () => {
    const reader = openExtractor();
    extractor = reader;
    const ended: string[] = [];
    const read = async (owner: string, bytes: Uint8Array) => {
      await reader.read(documentOf(bytes), owner);
      ended.push(owner);
    };
    const books = ['one', 'two'].flatMap((owner) => Array.from({ length: 7 }, () => read(owner, book)));
    await read('quiet', line);
    // The first book may have been finished before.
    expect(ended.indexOf('quiet')).toBeLessThanOrEqual(1);
    await reader.close();
    const rest = await Promise.allSettled(books);
    expect(rest.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(10);
  });
});
