import { describe, expect, it } from 'vitest';
import { readNote } from '../../src/domain/imports/basic-memory.js';
import { observationsOf, relationsOf } from '../../src/domain/imports/note-lines.js';

const note = (front: string, body = 'Text.') => `---\n${front}\n---\n${body}`;
const metadataOf = (path: string, text: string) => JSON.parse(readNote(path, text).metadata);

describe('a note of basic-memory', () => {
  // @covers IMPORT-NOTES IMPORT-ORIGIN
  it('is its Markdown without front matter, which is metadata', () => {
    const body = '\n# Brewing\n\n- [method] Pour over #coffee (tried)\n- requires [[Grinder]] (fine)\n';
    const front =
      'title: Brewing\ntype: guide\npermalink: coffee/brewing\ntags: [coffee, "#hot"]\nstatus: 1.0\ncreated: 2025-01-02';
    const read = readNote('coffee/Brewing.md', note(front, body));
    expect(read).toMatchObject({ content: body.trim(), source: 'basic-memory:coffee/brewing' });
    expect(JSON.parse(read.metadata)).toEqual({
      title: 'Brewing',
      type: 'guide',
      tags: ['coffee', 'hot'],
      observations: [{ category: 'method', content: 'Pour over #coffee', tags: ['coffee'], context: 'tried' }],
      relations: [{ type: 'requires', target: 'Grinder', context: 'fine' }],
      imported: {
        from: 'basic-memory',
        permalink: 'coffee/brewing',
        path: 'coffee/Brewing.md',
        status: '1.0',
        created: '2025-01-02',
      },
    });
  });

  // @covers IMPORT-NOTES
  it('has the name of its file where it has no title, and begins with it', () => {
    const plain = readNote('ideas/Old Boat.md', '\ufeffIt leaks.\r\n');
    expect(plain).toMatchObject({ content: '# Old Boat\n\nIt leaks.', source: 'basic-memory:ideas/Old Boat' });
    expect(readNote('a.md', note('title: B', '# B\nx')).content).toBe('# B\nx');
    expect(metadataOf('a.md', note('tags: one, two'))).toMatchObject({
      title: 'a',
      type: 'note',
      tags: ['one', 'two'],
    });
    expect(readNote('a.md', '---\nno end').content).toBe('# a\n\n---\nno end');
    const long = readNote('a.md', '- [x1] word\n'.repeat(2000));
    expect(JSON.parse(long.metadata)).not.toHaveProperty('observations');
  });

  // @covers IMPORT-HOSTILE IMPORT-VALUES
  it.each([
    ['aliases that stand for a long text', bomb(), 'it stands for more than 10000 values'],
    ['a value that contains itself', 'a: &a [*a]', 'it is nested deeper than 24 levels, or contains itself'],
    ['a wrong syntax', 'a: [', 'Flow sequence in block collection must be sufficiently indented'],
    ['a colon in a title', 'title: Harbour: North', 'Nested mappings are not allowed in compact mappings'],
    ['a key twice', 'a: 1\na: 2', 'it has the key "a" twice'],
    ['a key twice in other spellings', '1: a\n"1": b', 'it has the key "1" twice'],
    ['a key that is a list', '? [a]\n: b', 'it has a key that is no text'],
    ['deep nesting', `a: ${'['.repeat(30_000)}`, 'it is nested too deeply'],
    ['NUL', 'a: "\\0"', 'it has a character that no text may have'],
  ])('keeps front matter that cannot be read as a text, and says why: %s', (_, front, sentence) => {
    const read = readNote('dir/a.md', note(front));
    expect(read.content).toBe('# a\n\nText.');
    expect(JSON.parse(read.metadata).imported.front_matter).toBe(`${front}\n`);
    expect(read.assumed).toEqual([
      expect.stringContaining(`kept as the text imported.front_matter, because it is no YAML: ${sentence}`),
    ]);
  });

  // @covers IMPORT-HOSTILE IMPORT-VALUES
  it.each([
    ['more than is read', `a: ${'x'.repeat(70_000)}`, 'it has more than 65,536 characters'],
    ['no mapping', '- a', 'it is not a mapping of keys to values'],
    ['words between two rules', 'Some words.', 'it is not a mapping of keys to values'],
    ['no YAML, and too long for metadata', `a: [${'x'.repeat(40_000)}`, 'Flow sequence in block collection'],
    ['YAML that is too long for metadata', `a: ${'é'.repeat(40_000)}`, 'its metadata would have more than 64 KiB'],
  ])('leaves front matter in the text when it is %s', (_, front, sentence) => {
    const read = readNote('a.md', note(front));
    expect(read.content).toBe(`# a\n\n${note(front)}`);
    expect(Buffer.byteLength(read.metadata)).toBeLessThan(1000);
    expect(read.assumed).toEqual([
      expect.stringContaining(`its front matter stays in the text of the memory: ${sentence}`),
    ]);
  });

  it('takes no keys of objects for its own', () => {
    expect(metadataOf('a.md', note('__proto__: {title: x}\nconstructor: 1')).title).toBe('a');
    expect(({} as { title?: string }).title).toBeUndefined();
  });

  // @covers IMPORT-NOTES
  it('has observations and relations in its lists, and links in its text', () => {
    const body = [
      '- [idea] Sail in May #boat#sea',
      '* plain item with #tag',
      '- [ ] a task #todo',
      '- [00:12:03] said at that time',
      '- [text](https://example.org)',
      '> - [quote] of another',
      '```',
      '- [code] in a block [[Nothing]]',
      '```',
      '- "part of" [[Fleet]]',
      '- see also [[Harbour]] and [[Pier]]',
      'More at [[Chart]].',
    ].join('\n');
    expect(observationsOf(body)).toEqual([
      { category: 'idea', content: 'Sail in May #boat#sea', tags: ['boat', 'sea'], context: null },
      { category: null, content: 'plain item with #tag', tags: ['tag'], context: null },
    ]);
    expect(relationsOf(body)).toEqual([
      { type: 'part of', target: 'Fleet', context: null },
      ...['Harbour', 'Pier', 'Chart'].map((target) => ({ type: 'links_to', target, context: null })),
    ]);
  });
});

describe('the lines of a note', () => {
  const lines = [
    '# Tea',
    '',
    '- [fact] Green #tea (old)',
    '- part_of [[Drinks]]',
    '1. [tip] Cool water',
    'See [[Cups]].',
  ];

  // @covers IMPORT-NOTES
  it.each(['\n', '\r\n', '\r'])('end with %j', (end) => {
    const read = readNote('Tea.md', ['\ufeff---', 'title: Tea', 'version: 2.10', '---', ...lines, ''].join(end));
    expect(read.content).toBe(lines.join(end));
    expect(JSON.parse(read.metadata)).toMatchObject({
      title: 'Tea',
      observations: [
        { category: 'fact', content: 'Green #tea', tags: ['tea'], context: 'old' },
        { category: 'tip', content: 'Cool water' },
      ],
      relations: [
        { type: 'part_of', target: 'Drinks', context: null },
        { type: 'links_to', target: 'Cups', context: null },
      ],
      imported: { version: '2.10' },
    });
  });

  // @covers IMPORT-NOTES
  it('may have separators that end no line of a file', () => {
    for (const inside of ['\u2028', '\u2029', '\u0085', '\v', '\f']) {
      expect(observationsOf(`- [fact] one${inside}two`)).toMatchObject([{ content: `one${inside}two` }]);
      expect(relationsOf(`- "a${inside}b" [[c]]`)).toHaveLength(1);
    }
    expect(readNote('a.md', `---\ntitle: x\u2028---\n---\nText`).content).toMatch(/^# x\u2028---\n\nText$/);
  });

  // @covers IMPORT-REPORTED
  it('are named when they are too many or too long', () => {
    expect(readNote('a.md', '- [x1] word\n'.repeat(2000)).assumed).toEqual([
      'its observations and relations are too many for metadata: they stay in the text only',
    ]);
    expect(readNote('a.md', `- [x1] ${'word '.repeat(1000)}\n${'prose '.repeat(1000)}`).assumed).toEqual([
      '1 long line was not searched for observations and relations',
    ]);
  });

  // @covers IMPORT-VALUES IMPORT-REPORTED
  it('leave no value of the front matter behind', () => {
    const front = 'title: [A, B]\ntype: {a: 1}\npermalink: ~\ntags: {a: 1}\nfrom: here\npath: 2.10\nfront_matter: x';
    const read = readNote('dir/a.md', note(front));
    expect(JSON.parse(read.metadata)).toEqual({
      title: 'a',
      type: 'note',
      tags: [],
      observations: [],
      relations: [],
      imported: {
        ...{
          from: 'basic-memory',
          permalink: 'dir/a',
          path: 'dir/a.md',
          title: ['A', 'B'],
          type: { a: 1 },
          tags: { a: 1 },
        },
        front_matter: { from: 'here', path: '2.10', front_matter: 'x' },
      },
    });
    expect(read.assumed).toHaveLength(3);
    expect(metadataOf('a.md', note('title: 2.10\ntags: [2.10, 009, "#x", null, 1e3]'))).toMatchObject({
      title: '2.10',
      tags: ['2.10', '009', 'x', 'null', '1e3'],
    });
    expect(readNote('a.md', '\n\n    code\n  more\n\n').content).toBe('# a\n\n    code\n  more');
  });
});

/** Each line stands for ten times the one before. */
function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, n) => `x${n + 1}: &x${n + 1} [${Array(10).fill(`*x${n}`).join(',')}]`);
  return ['x0: &x0 [lol]', ...lines].join('\n');
}
