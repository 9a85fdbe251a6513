import { describe, expect, it } from 'vitest';
import { readNote } from '../../src/domain/imports/basic-memory.js';
import { mem0Records, readMem0Record } from '../../src/domain/imports/mem0.js';
import { observationsOf, relationsOf } from '../../src/domain/imports/note-lines.js';

const record = {
  id: '8f3c',
  memory: 'Ada likes trams.',
  hash: 'abc',
  metadata: null,
  user_id: 'ada',
  agent_id: null,
  categories: ['travel'],
  created_at: '2025-07-01T10:00:00-07:00',
  score: 0.4,
};

describe('a memory of mem0', () => {
  // @covers IMPORT-MEM0 IMPORT-ORIGIN
  it('keeps its text, its metadata as they are spelt, and its origin', () => {
    const text = JSON.stringify(record).replace('"metadata":null', '"metadata":{ "b":1.0, "a":[1e400] }');
    expect(readMem0Record(text)).toMatchObject({ content: 'Ada likes trams.', source: 'mem0:8f3c', playground: false });
    expect(readMem0Record(text).metadata).toBe(
      '{"b":1.0, "a":[1e400],"imported":{"from":"mem0","id":"8f3c","hash":"abc","user_id":"ada","categories":["travel"],' +
        '"created_at":"2025-07-01T10:00:00-07:00"}}',
    );
    const clash = readMem0Record(JSON.stringify({ memory: 'x', metadata: { imported: 1 } }));
    expect(clash.metadata).toBe('{"imported":{"from":"mem0","metadata":{"imported":1}}}');
    expect(clash.source).toBe('mem0');
  });

  // @covers IMPORT-MEM0 IMPORT-HOSTILE
  it('stands in a list, in an answer of get_all or alone, and says what is wrong with it', () => {
    const one = JSON.stringify(record);
    for (const text of [`[${one}, 7]`, `{"results":[${one},7],"count":2}`, `{"memories":[${one},7]}`]) {
      expect(mem0Records(text)).toEqual([one, '7']);
    }
    expect(mem0Records(one)).toEqual([one]);
    expect(() => readMem0Record('7')).toThrow('it is not JSON: not an object');
    expect(() => readMem0Record('{"memory":"a","memory":"b"}')).toThrow('a key appears twice');
    expect(() => readMem0Record('{"memory":7}')).toThrow('memory is not a text');
    expect(() => readMem0Record('{"memory":"a","metadata":[1]}')).toThrow('metadata is neither an object nor null');
    expect(() => mem0Records(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toThrow('nested deeper than 64');
  });
});

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
        status: 1,
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

  // @covers IMPORT-HOSTILE
  it.each([
    ['aliases that stand for a long text', bomb(), /front matter is not YAML that an import reads: Excessive alias/],
    ['a value that contains itself', 'a: &a [*a]', /front matter/],
    ['a wrong syntax', 'a: [', /is not YAML that an import reads: /],
    ['a key twice', 'a: 1\na: 2', /is not YAML that an import reads: Map keys must be unique/],
    ['no mapping', '- a', /front matter is not a mapping/],
    ['deep nesting', `a: ${'['.repeat(30_000)}`, /is not YAML that an import reads: /],
    ['too many characters', `a: ${'x'.repeat(70_000)}`, /more than 65,536 characters/],
  ])('says what is wrong with its front matter: %s', (_, front, sentence) => {
    expect(() => readNote('a.md', note(front))).toThrow(sentence);
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

/** Each line stands for ten times the one before. */
function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, n) => `x${n + 1}: &x${n + 1} [${Array(10).fill(`*x${n}`).join(',')}]`);
  return ['x0: &x0 [lol]', ...lines].join('\n');
}
