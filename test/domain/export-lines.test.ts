import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pageLine } from '../../src/domain/export-lines.js';
import { exportFormat, readExportedMemory, readExportPage } from '../../src/domain/export-pages.js';

const memory = (metadata: string) =>
  `{"id":"1","content":"a\\nb","metadata":${metadata},"source":null,"playground":false,"namespace":{"id":"0","name":"n"}}`;
const page = (...memories: string[]) =>
  `{"format":"${exportFormat}","data":[${memories.join(',')}],"next_cursor":null}`;

const broken = ['{\n  "a": 1.0,\r\n\t"b": "\\n{[",\r"c": [\n]\n}', '{"a":\n1e400}'];

describe('a page on a line', () => {
  // @covers EXPORT-LINES
  it('has no line ends, and keeps the bytes of metadata that have some', () => {
    const whole = page(memory(broken[0] ?? ''), memory('{ "z": 1.0 }'), memory(broken[1] ?? ''));
    const line = pageLine(whole);
    expect(line).not.toMatch(/[\r\n]/);
    expect(JSON.parse(line).data.map((one: object) => 'metadata_text' in one)).toEqual([true, false, true]);
    const read = readExportPage(line).memories.map(readExportedMemory);
    expect(read.map(({ metadata }) => metadata)).toEqual([broken[0], '{ "z": 1.0 }', broken[1]]);
    expect(read.flatMap(({ assumed }) => assumed)).toEqual([]);
    expect(pageLine(line)).toBe(line);
  });

  it('is the page itself where it has no line ends', () => {
    const whole = page(memory('{ "a":  1 }'));
    expect(pageLine(whole)).toBe(whole);
    expect(pageLine(whole.replaceAll(',', ',\n'))).not.toContain('\n');
  });

  // @covers EXPORT-LINES IMPORT-REPORTED
  it('may be written again by other programs, and says when someone has changed its metadata', () => {
    const line = pageLine(page(memory(broken[0] ?? '')));
    const again = JSON.stringify(JSON.parse(line));
    expect(readExportedMemory(readExportPage(again).memories[0] ?? '').metadata).toBe(broken[0]);
    const changed = line.replace('"a": 1.0,  \t', '"a": 2.0,  \t');
    expect(changed).not.toBe(line);
    expect(readExportedMemory(readExportPage(changed).memories[0] ?? '')).toMatchObject({
      metadata: expect.stringContaining('"a": 2.0'),
      assumed: ['metadata_text does not mean the same as metadata: metadata was taken'],
    });
    for (const odd of ['7', '"{"', 'null']) {
      const given = line.replace(/"metadata_text":"(?:[^"\\]|\\.)*"/, `"metadata_text":${odd}`);
      expect(readExportedMemory(readExportPage(given).memories[0] ?? '').assumed).toHaveLength(1);
    }
  });
});

describe('an exported memory', () => {
  // @covers IMPORT-REPORTED
  it('says what an import does not take from it', () => {
    const given = JSON.parse(memory('{}'));
    const remarks = (more: object) => readExportedMemory(JSON.stringify({ ...given, ...more })).assumed;
    expect(
      remarks({ id: 'a', provenance: {}, status: 'ready', receipt_id: 'r', created_at: '', updated_at: '' }),
    ).toEqual([]);
    expect(remarks({ content_hash: createHash('sha256').update('a\nb').digest('hex') })).toEqual([]);
    expect(remarks({ content_hash: '0'.repeat(64) })).toEqual([
      'the text was changed since it was exported: its content_hash is another',
    ]);
    expect(remarks({ assumed: { charset: 'koi8-r' }, expires: 1 })).toEqual([
      'the receipt here does not say what was assumed when the text was read from a file',
      'not read: expires',
    ]);
  });
});
