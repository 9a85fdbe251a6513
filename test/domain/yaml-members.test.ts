import { describe, expect, it } from 'vitest';
import { yamlMembers } from '../../src/domain/imports/yaml-members.js';

const jsonOf = (text: string) => [...yamlMembers(text).members].map(([key, { json }]) => `${key} ${json}`);

/** A value that JSON writes in the same way is a value of its type. */
const typed: readonly (readonly [string, string])[] = [
  ['7', '7'],
  ['-7', '-7'],
  ['0', '0'],
  ['2.5', '2.5'],
  ['1e-7', '1e-7'],
  ['9007199254740991', '9007199254740991'],
  ['true', 'true'],
  ['False', 'false'],
  ['~', 'null'],
  ['null', 'null'],
];

/** Everything else keeps its characters. */
const texts = [
  ...['45e2231', '1e3', '1E3', '1e+2', '9007199254740995', '9007199254740993', '18446744073709551616', '-0', '+5'],
  ...['2.10', '2.0', '5.', '.5', '04109', '009', '0o17', '0xFF', '0b11', '1_000', '.inf', '-.Inf', '.NaN'],
  ...['yes', 'no', 'on', 'off', 'Yes', 'NO', 'y', 'n', '12:30:45', '190:20:30', '12:30', '1:1', '2025-01-02'],
  ...['2025-01-02T03:04:05Z', '2025-01-02 03:04:05.60 +01:00', '0.1000000000000000055511151231257827', 'v1.10'],
  ...['"7"', "'2.10'", '"true"', '"~"', '!!str 7', '=', '1e', 'e5', '0x', '3.14.15', '١٢٣', '１２'],
];
const kept = texts.map(
  (text) => [text, JSON.stringify(text.replace(/^!!str /, '').replace(/^["'](.*)["']$/, '$1'))] as const,
);

describe('the values of front matter', () => {
  // @covers IMPORT-VALUES
  it.each([...typed, ...kept])('%s stays what it is', (text, json) => {
    expect(jsonOf(`key: ${text}`)).toEqual([`key ${json}`]);
    expect(jsonOf(`key:\n  - ${text}`)).toEqual([`key [${json}]`]);
    expect(jsonOf(`key: {inner: [${text}]}`)).toEqual([`key {"inner":[${json}]}`]);
  });

  it('has keys as they are written, and each of them once', () => {
    expect(jsonOf('2.10: a\n010: b\ntrue: c\n~: d\n"": e\n__proto__: f')).toEqual([
      ...['2.10 "a"', '010 "b"', 'true "c"', '~ "d"', ' "e"', '__proto__ "f"'],
    ]);
    expect(() => jsonOf('a: {x: 1, "x": 2}')).toThrow('it has the key "x" twice');
  });

  // @covers IMPORT-VALUES
  it('keeps the text of a value whose tag is not understood, and says so', () => {
    const read = yamlMembers('a: !!binary aGVsbG8=\nb: !point [1, 2.0]\nc: !!int "5"\nd: !!timestamp 2025-01-02');
    expect([...read.members.values()].map(({ json }) => json)).toEqual([
      '"aGVsbG8="',
      '[1,"2.0"]',
      '5',
      '"2025-01-02"',
    ]);
    expect(read.assumed).toEqual([
      'the tag !!binary was not applied, and the text behind it stays',
      'the tag !point was not applied, and the text behind it stays',
      'the tag !!timestamp was not applied, and the text behind it stays',
    ]);
    const merged = yamlMembers('a: &a {x: 1}\nb:\n  <<: *a\n  y: *a');
    expect(merged.members.get('b')?.json).toBe('{"<<":{"x":1},"y":{"x":1}}');
    expect(merged.assumed).toEqual(['the merge key << stays a key, and what it names was not merged']);
  });

  // @covers IMPORT-REPORTED
  it.each([
    ['tags: #sea\nb: 1', '#sea'],
    ['# top\na: 1 # one', '# top # one'],
    ['a:\n  #daily\nb: [1, # x\n 2]', '#daily # x'],
    ['a: 1\n#b: 2', '#b: 2'],
    ['# only', '# only'],
  ])('names comments, which may be values: %j', (text, shown) => {
    expect(yamlMembers(text).assumed).toEqual([`comments in its front matter are not read: ${shown}`]);
    expect(yamlMembers('a: "# no"\nb: |\n  # no\nc: d#no').assumed).toEqual([]);
  });

  it('reads every end of a line, and no text as a mapping that is none', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      expect(jsonOf(['a: |', '  one', '  two', 'b: 2.10', ''].join(end))).toEqual(['a "one\\ntwo\\n"', 'b "2.10"']);
    }
    expect(jsonOf('')).toEqual([]);
    expect(jsonOf('# a comment')).toEqual([]);
    expect(jsonOf('a:\nb: 1,000')).toEqual(['a null', 'b "1,000"']);
    for (const text of ['text', '- a', '7', '*a', 'a: 1\n---\nb: 2']) expect(() => jsonOf(text)).toThrow();
  });
});
