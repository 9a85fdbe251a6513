import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createSigningKeys, keyStore } from '../../src/adapters/signing-keys.js';
import { appendRecord, lockedDirectory, readLastSigned, readRecord } from '../../src/adapters/signing-record.js';
import { firstRecord } from '../../src/tlog/turn.js';

const parent = mkdtempSync(join(tmpdir(), 'counterfoil-record-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const origin = 'log.example.org';
const hex = (digit: string) => digit.repeat(64);
const record = (size: number) => ({ size, root: hex('a'), turn: hex('b'), before: hex('c') });
let directory: string;
const file = () => join(directory, 'last-signed.json');
beforeEach(() => {
  directory = mkdtempSync(join(parent, 'keys-'));
});

describe('the record beside the keys', () => {
  it('is the last line of its file', () => {
    expect(readRecord(directory, origin)).toBeNull();
    for (const size of [1, 2, 3]) appendRecord(directory, origin, record(size));
    expect(readRecord(directory, origin)).toEqual(record(3));
    expect(readFileSync(file(), 'utf8').split('\n')).toHaveLength(4);
  });

  it.each([
    ['a part of a line', '{"origin":"log.exa'],
    ['a line of zeros', '\0'.repeat(300)],
    ['a part of a line that ends', '{"origin":"log.exa\n'],
  ])('does not count %s that a crash has left, and continues behind it', (_, torn) => {
    appendRecord(directory, origin, record(1));
    appendFileSync(file(), torn);
    expect(readRecord(directory, origin)).toEqual(record(1));
    appendRecord(directory, origin, record(2));
    expect(readRecord(directory, origin)).toEqual(record(2));
  });

  it('is refused when no line of the file can be read', () => {
    writeFileSync(file(), '{}\n');
    expect(() => readRecord(directory, origin)).toThrow('is not what this service has written');
    expect(() => appendRecord(directory, origin, record(1))).toThrow('is not what this service has written');
  });

  it('may be of a version without turns', () => {
    writeFileSync(file(), `${JSON.stringify({ size: 7, root: hex('d') })}\n`);
    expect(readRecord(directory, origin)).toEqual({ size: 7, root: hex('d') });
    appendRecord(directory, origin, record(8));
    expect(readRecord(directory, origin)).toEqual(record(8));
  });

  it('is of one log: that of another is none', () => {
    appendRecord(directory, 'other.example.org', record(9));
    expect(readRecord(directory, origin)).toBeNull();
    appendRecord(directory, origin, record(2));
    expect(readRecord(directory, origin)).toEqual(record(2));
    expect(readLastSigned(directory, 'other.example.org')).toEqual({ size: 9, root: hex('a') });
    expect(readLastSigned(directory, origin)).toEqual({ size: 2, root: hex('a') });
  });

  it('is made with the keys, and not by a copy of them', () => {
    createSigningKeys(directory, origin, new Date());
    const made = readRecord(directory, origin);
    expect(made).toEqual(firstRecord(made?.turn ?? ''));
  });

  it('does not let its file grow without bound', () => {
    appendRecord(directory, 'other.example.org', record(9));
    for (let size = 1; size < 150; size += 1) appendRecord(directory, origin, record(size));
    expect(readFileSync(file()).length).toBeLessThan(18_000);
    expect(readRecord(directory, origin)).toEqual(record(149));
    expect(readRecord(directory, 'other.example.org')).toEqual(record(9));
  });

  it('is changed by one process at a time', async () => {
    const order: string[] = [];
    const [one, two] = [keyStore(directory, origin, () => new Date()), keyStore(directory, origin, () => new Date())];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 30));
      order.push(`${name} ends`);
    };
    await Promise.all([one.exclusively(work('a')), two.exclusively(work('b')), lockedDirectory(directory, work('c'))]);
    for (let at = 0; at < 6; at += 2) expect(order[at]?.replace('begins', 'ends')).toBe(order[at + 1]);
  });
});
