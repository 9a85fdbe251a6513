import { type NoteCase, noteCase } from './notes-case.js';

const body = 'The pier is closed in winter.\n';

/** A note whose front matter has these lines, in a file with this name. */
const front = (
  name: string,
  lines: readonly string[],
  imported: Readonly<Record<string, unknown>>,
  assumed: string[] = [],
) =>
  noteCase(`values/${name}.md`, ['---', ...lines, '---', body].join('\n'), {
    content: `# ${name}\n\n${body.trim()}`,
    title: name,
    imported,
    assumed,
  });

/** Values of front matter, of which none may become another one. */
export function noteValues(): NoteCase[] {
  return [
    front('numbers', ['int: 42', 'negative: -7', 'decimal: 2.5', 'small: 1e-7', 'zero: 0'], {
      int: 42,
      negative: -7,
      decimal: 2.5,
      small: 1e-7,
      zero: 0,
    }),
    front('hashes', ['commit: 45e2231', 'short: 0e12345', 'long: 1234567e89', 'hex: 0xdeadbeef', 'plain: deadbeef'], {
      commit: '45e2231',
      short: '0e12345',
      long: '1234567e89',
      hex: '0xdeadbeef',
      plain: 'deadbeef',
    }),
    front(
      'identifiers',
      ['ticket: 9007199254740995', 'zip: 04109', 'isbn: 0306406152', 'phone: +351', 'account: 1_000'],
      {
        ticket: '9007199254740995',
        zip: '04109',
        isbn: '0306406152',
        phone: '+351',
        account: '1_000',
      },
    ),
    front('versions', ['version: 2.10', 'api: 1.0', 'build: 007', 'list: [2.10, 3.0, 1.2.3]', 'price: 19.90'], {
      version: '2.10',
      api: '1.0',
      build: '007',
      list: ['2.10', '3.0', '1.2.3'],
      price: '19.90',
    }),
    front(
      'times',
      ['at: 12:30:45', 'short: 7:30', 'long: 190:20:30', 'day: 2025-01-02', 'moment: 2025-01-02T03:04:05.60+01:00'],
      {
        ...{
          at: '12:30:45',
          short: '7:30',
          long: '190:20:30',
          day: '2025-01-02',
          moment: '2025-01-02T03:04:05.60+01:00',
        },
      },
    ),
    front('words', ['a: yes', 'b: no', 'c: on', 'd: OFF', 'e: true', 'f: False', 'country: NO', 'g: y'], {
      a: 'yes',
      b: 'no',
      c: 'on',
      d: 'OFF',
      e: true,
      f: false,
      country: 'NO',
      g: 'y',
    }),
    front('nothing', ['a: ~', 'b:', 'c: null', 'd: ""', 'e: "null"', 'f: []', 'g: {}'], {
      a: null,
      b: null,
      c: null,
      d: '',
      e: 'null',
      f: [],
      g: {},
    }),
    front('infinite', ['a: .inf', 'b: -.Inf', 'c: .NaN', 'd: 1e400', 'e: 0.1000000000000000055', 'f: -0'], {
      a: '.inf',
      b: '-.Inf',
      c: '.NaN',
      d: '1e400',
      e: '0.1000000000000000055',
      f: '-0',
    }),
    front('radix', ['octal: 0o17', 'old: 017', 'hex: 0xFF', 'binary: 0b11'], {
      octal: '0o17',
      old: '017',
      hex: '0xFF',
      binary: '0b11',
    }),
    front('quoted', ['a: "2.10"', "b: 'it''s'", 'c: "tab\\tnew\\nline \\u00e9"', 'd: !!str 10', 'e: "🌊"'], {
      a: '2.10',
      b: "it's",
      c: 'tab\tnew\nline é',
      d: '10',
      e: '🌊',
    }),
    front('blocks', ['a: |', '  one', '  two', 'b: >-', '  folded', '  text', 'c: plain', '  goes on'], {
      a: 'one\ntwo\n',
      b: 'folded text',
      c: 'plain goes on',
    }),
    front('nested', ['a:', '  b: [1, {c: 2.0}]', '  1.0: x', 'true: key', '2.10: version'], {
      a: { b: [1, { c: '2.0' }], '1.0': 'x' },
      true: 'key',
      '2.10': 'version',
    }),
    front('anchors', ['base: &base {port: 8080}', 'same: *base', 'list: &l [1.0]', 'again: [*l, *l]'], {
      base: { port: 8080 },
      same: { port: 8080 },
      list: ['1.0'],
      again: [['1.0'], ['1.0']],
    }),
    front(
      'merged',
      ['base: &b {x: 1}', 'more:', '  <<: *b', '  y: 2'],
      { base: { x: 1 }, more: { '<<': { x: 1 }, y: 2 } },
      ['the merge key << stays a key'],
    ),
    front(
      'tagged',
      ['a: !!binary aGVsbG8=', 'b: !point [1, 2]', 'c: !!set {x, y}'],
      { a: 'aGVsbG8=', b: [1, 2], c: { x: null, y: null } },
      ['the tag !!binary was not applied', 'the tag !point was not applied', 'the tag !!set was not applied'],
    ),
    front('own-names', ['from: the harbour', 'path: 2.10', 'front_matter: x', '__proto__: y', 'constructor: z'], {
      ...Object.fromEntries([
        ['__proto__', 'y'],
        ['constructor', 'z'],
      ]),
      front_matter: { from: 'the harbour', path: '2.10', front_matter: 'x' },
    }),
    front(
      'other-kinds',
      ['title: [Two, titles]', 'type: {a: b}', 'tags: {pier: true}', 'permalink: [x]'],
      {
        title: ['Two', 'titles'],
        type: { a: 'b' },
        tags: { pier: true },
        front_matter: { permalink: ['x'] },
      },
      ['title has no value', 'type has no value', 'permalink has no value', 'tags has no value'],
    ),
  ];
}
