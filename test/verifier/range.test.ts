import { describe, expect, it } from 'vitest';
import type { Linked } from '../../src/ledger/chain.js';
import { toUtf8 } from '../../src/verifier/bytes.js';
import { type EntryRange, longestEntry, openRange } from '../../src/verifier/range.js';
import { claim, log, text, trust, unplaced, whole } from './claim-of.js';

type Line = Pick<Linked, 'bytes'>;

const entries: readonly Line[] = log.entries(0);

function rangeOf(lines: readonly Line[]): EntryRange {
  const reader = openRange();
  for (const { bytes } of lines) reader.take(bytes);
  return reader.range();
}

const range = (lines: readonly Line[], from = whole) =>
  claim('range', undefined, { ...trust, entries: rangeOf(lines) }, from);
const all = entries.slice(0, 7);

describe('the claim about a range', () => {
  it('is there only for a reader with entries, and is verified for all of them', () => {
    expect(() => claim('range')).toThrow('there is no claim range');
    expect(range(all)).toMatchObject(text('verified', /^These are all entries of the workspace from 1 to 7: /));
  });

  it('holds for the bundle of any entry that the same head covers', async () => {
    expect(range(all, await log.bundle({ seq: 5 })).state).toBe('verified');
    expect(range(entries, await log.bundle({ seq: 5, size: 9 })).state).toBe('verified');
  });

  const changed = {
    bytes: toUtf8(
      Buffer.from(all[3]?.bytes ?? [])
        .toString()
        .replace('"playground":false', '"playground":true'),
    ),
  };
  const outsider = log.entries(1)[0];
  it.each<[string, readonly Line[], RegExp]>([
    ['an entry was dropped', all.toSpliced(3, 1), /^Entry 4 of the file is wrong: it is entry 5 of its chain\.$/],
    ['the first was dropped', all.slice(1), /^Entry 1 of the file is wrong/],
    ['the tail was dropped', all.slice(0, 6), /^The file ends after entry 6, and the head of the bundle is of 7/],
    ['all were dropped', [], /^The file ends after entry 0/],
    ['an entry was changed', all.with(3, changed), /^Entry 5 of the file is wrong: it does not name the hash/],
    [
      'the last was changed',
      all.with(6, {
        bytes: toUtf8(
          Buffer.from(all[6]?.bytes ?? [])
            .toString()
            .replace('"playground":false', '"playground":true'),
        ),
      }),
      /do not lead to the root/,
    ],
    ['two were swapped', all.with(2, all[3] ?? changed).with(3, all[2] ?? changed), /^Entry 3 of the file is wrong/],
    ['one is there twice', all.toSpliced(3, 0, all[3] ?? changed), /^Entry 5 of the file is wrong/],
    [
      'later ones were added',
      entries.slice(0, 8),
      /^The file has 8 entries, and the head of the bundle shows the first 7 only/,
    ],
    ['they are of another workspace', log.entries(1), /of another workspace than the bundle/],
    [
      'one is of another workspace',
      all.with(0, outsider ?? changed),
      /^Entry 2 of the file is wrong: it belongs to another/,
    ],
    ['a line is no entry', all.with(2, { bytes: toUtf8('{}') }), /^Entry 3 of the file is wrong/],
    ['a line is not canonical', all.with(2, { bytes: toUtf8(`${Buffer.from(all[2]?.bytes ?? [])} `) }), /canonical/],
    ['a line is too long', all.with(2, { bytes: new Uint8Array(longestEntry + 1) }), /more than 524288 bytes/],
  ])('fails when %s', (_, lines, pattern) => {
    expect(range(lines)).toMatchObject(text('failed', pattern));
  });

  it('is absent without a checkpoint, and fails without a readable head', () => {
    const by = { ...trust, entries: rangeOf(all) };
    expect(claim('range', unplaced, by)).toMatchObject(text('absent', /^The 7 entries follow each other/));
    expect(claim('range', (bundle) => Object.assign(bundle.head ?? {}, { leaf: '' }), by).state).toBe('failed');
  });
});
