import { describe, expect, it } from 'vitest';
import { type ImportedMemory, LeftOut } from '../../src/domain/imports/imported.js';
import { readMem0Record } from '../../src/domain/imports/mem0.js';
import { readMem0Value } from '../../src/domain/imports/mem0-lists.js';

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

/** Of a record that was not deleted. */
function memoryOf(text: string): ImportedMemory {
  const memory = readMem0Record(text);
  if (memory instanceof LeftOut) throw new Error(memory.reason);
  return memory;
}

describe('a memory of mem0', () => {
  // @covers IMPORT-MEM0 IMPORT-ORIGIN
  it('keeps its text, its metadata as they are spelt, and its origin', () => {
    const text = JSON.stringify(record).replace('"metadata":null', '"metadata":{ "b":1.0, "a":[1e400] }');
    expect(memoryOf(text)).toMatchObject({ content: 'Ada likes trams.', source: 'mem0:8f3c', playground: false });
    expect(memoryOf(text).metadata).toBe(
      '{"b":1.0, "a":[1e400],"imported":{"from":"mem0","id":"8f3c","hash":"abc","user_id":"ada","categories":["travel"],' +
        '"created_at":"2025-07-01T10:00:00-07:00","score":0.4}}',
    );
    const clash = memoryOf(JSON.stringify({ memory: 'x', metadata: { imported: 1 } }));
    expect(clash.metadata).toBe('{"imported":{"from":"mem0","metadata":{"imported":1}}}');
    expect(clash.source).toBe('mem0');
  });

  // @covers IMPORT-MEM0 IMPORT-HOSTILE
  it('is in a list, in an answer of get_all or alone, and says what is wrong with it', () => {
    const one = JSON.stringify(record);
    for (const text of [`[${one}, 7]`, `{"results":[${one},7],"count":2}`, `{"memories":[${one},7]}`]) {
      expect(readMem0Value(text).records).toEqual([one, '7']);
    }
    expect(readMem0Value(one).records).toEqual([one]);
    expect(() => readMem0Record('7')).toThrow('it must be a JSON object');
    expect(() => readMem0Record('{"memory":"a","memory":"b"}')).toThrow('it has the same key twice in one object');
    expect(() => readMem0Record('{"memory":}')).toThrow('it is not JSON');
    expect(() => readMem0Record('{"memory":7}')).toThrow('memory is not a text');
    expect(() => readMem0Record('{"memory":"a","metadata":[1]}')).toThrow('metadata is neither an object nor null');
    expect(() => readMem0Value(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toThrow('nested deeper than 64');
    expect(() => readMem0Value(`[${'1,'.repeat(4_000_000)}1]`)).toThrow('it has more than 4000000 values');
  });
});

describe('a record of mem0', () => {
  // @covers IMPORT-VALUES
  it('keeps the digits of an id, and every number as it is spelt', () => {
    const read = memoryOf('{"id":9007199254740995,"memory":"a","n":1.50,"big":1e400,"run_id":0.10,"tags":[1.0]}');
    expect(read.source).toBe('mem0:9007199254740995');
    expect(read.metadata).toBe(
      '{"imported":{"from":"mem0","id":9007199254740995,"n":1.50,"big":1e400,"run_id":0.10,"tags":[1.0]}}',
    );
    expect(memoryOf('{"memory":"a","from":"chat"}').metadata).toBe('{"imported":{"from":"mem0","from_there":"chat"}}');
  });

  // @covers IMPORT-MEM0
  it.each(['memory', 'text', 'content', 'data'])('has its text in %s', (name) => {
    expect(memoryOf(JSON.stringify({ id: 'a', [name]: 'Ada sails.' }))).toMatchObject({
      content: 'Ada sails.',
      metadata: '{"imported":{"from":"mem0","id":"a"}}',
    });
    expect(memoryOf(JSON.stringify({ memory: ' ', [name]: 'Ada sails.' })).content).toBe('Ada sails.');
  });

  // @covers IMPORT-MEM0 IMPORT-DELETED
  it.each([
    [{ event: 'DELETE' }, 'its event is DELETE'],
    [{ event: 'delete', memory: '' }, 'its event is DELETE'],
    [{ state: 'deleted' }, 'its state is deleted'],
    [{ deleted_at: '2026-01-02T03:04:05Z' }, 'it has a time of deletion'],
  ])('is left out when it was deleted there: %j', (members, reason) => {
    expect(readMem0Record(JSON.stringify({ id: 'a', memory: 'Gone.', ...members }))).toEqual(
      new LeftOut(reason, 'mem0:a'),
    );
  });

  it.each([
    [{ event: 'ADD' }, 'its members are event'],
    [{ status: 'PENDING', event_id: 'e' }, 'it is an event that mem0 had not finished, without a text'],
    [
      { id: 1, old_memory: 'a', new_memory: 'b' },
      'memory is not a text, nor is text, content or data: its members are id, old_memory',
    ],
    [{ memory: '\u00a0' }, 'memory is not a text'],
    [{}, 'it has no members'],
  ])('is refused without a text, with the names of its members: %j', (record, sentence) => {
    expect(() => readMem0Record(JSON.stringify(record))).toThrow(sentence);
  });

  it('says what is too long to be kept beside it', () => {
    const read = memoryOf(JSON.stringify({ memory: 'a', vector: Array(3000).fill(0.123456), user_id: 'ada' }));
    expect(read.metadata).toBe('{"imported":{"from":"mem0","user_id":"ada"}}');
    expect(read.assumed).toEqual(['too long to be kept under imported: vector']);
  });
});

describe('what mem0 writes', () => {
  const [one, two] = [
    { id: 'a', memory: 'x' },
    { id: 'b', memory: 'y' },
  ].map((memory) => JSON.stringify(memory));

  // @covers IMPORT-MEM0
  it.each([
    ['its command line', `{"status":"success","command":"add","count":2,"data":[${one},${two}]}`],
    ['its migration', `{"version":1,"kind":"mem0_oss_qdrant_export","record_count":2,"records":[${one},${two}]}`],
    ['pages', `{"items":[${one},${two}],"total":2,"page":1,"size":50,"pages":1}`],
    ['OpenMemory', `{"user":{"id":"u"},"apps":[],"memories":[${one},${two}],"export_meta":{"version":"1"}}`],
    ['a page inside an envelope', `{"status":"success","data":{"results":[${one},${two}],"count":2,"next":null}}`],
  ])('is read: %s', (_, text) => {
    expect(readMem0Value(text)).toMatchObject({ records: [one, two], assumed: [] });
  });

  it('may be one memory in an envelope, or a memory with lists of its own', () => {
    expect(readMem0Value(`{"status":"success","command":"get","data":${one}}`).records).toEqual([one]);
    const listed = '{"memory":"x","data":[1],"results":[]}';
    expect(readMem0Value(listed).records).toEqual([listed]);
  });

  // @covers IMPORT-REPORTED
  it('is named where it is not read, or may not be the whole', () => {
    expect(() => readMem0Value('{"alice":{},"entries":[{"memory":"x"}]}')).toThrow(
      'there is one in entries, and lists are read from results, memories, data, records, items',
    );
    expect(() => readMem0Value('{"format":"service-memories/1","data":[],"next_cursor":null}')).toThrow(
      'without --from',
    );
    expect(readMem0Value(`{"results":[${one}],"relations":[{"source":"a"}],"empty":[]}`).assumed).toEqual([
      'not read: relations',
    ]);
    expect(readMem0Value(`{"status":"success","command":"list","count":1,"data":[${one}]}`).assumed).toEqual([
      'mem0 list writes one page and does not say whether there are others: taken for the whole',
    ]);
  });
});
