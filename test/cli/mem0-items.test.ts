import { describe, expect, it } from 'vitest';
import { mem0Items } from '../../src/cli/imports/mem0-items.js';
import { LeftOut } from '../../src/domain/imports/imported.js';

/** The outcome of each memory of a file of mem0, and what is said besides. */
async function read(...values: readonly unknown[]) {
  const said: string[] = [];
  const report = {
    incomplete: (sentence: string) => said.push(`incomplete: ${sentence}`),
    assumed: (place: string, sentence: string) => said.push(`${place}: ${sentence}`),
  };
  const memories: string[] = [];
  const chunks = (async function* () {
    yield values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n');
  })();
  for await (const { memory } of mem0Items(chunks, report)) {
    memories.push(typeof memory === 'string' ? memory : memory instanceof LeftOut ? memory.reason : memory.content);
  }
  return { memories, said };
}

describe('a file of mem0', () => {
  // @covers IMPORT-WHOLE
  it('that is a page is named as such', async () => {
    const page = { count: 180, next: 'https://example.org/?page=2', results: [{ id: 'a', memory: 'one' }] };
    expect(await read(page)).toEqual({
      memories: ['one'],
      said: ['incomplete: the list that ends with value 1 has 180 memories: 179 of them are not here'],
    });
    const rest = { count: 2, next: null, results: [{ id: 'b', memory: 'two' }] };
    expect(await read({ ...page, count: 2 }, rest)).toEqual({ memories: ['one', 'two'], said: [] });
  });

  // @covers IMPORT-DELETED IMPORT-REPORTED
  it('with events says which memories were changed or deleted later', async () => {
    const events = [
      { id: 'a', memory: 'one', event: 'ADD' },
      { id: 'b', memory: 'two', event: 'ADD' },
      { id: 'a', memory: 'one and more', event: 'UPDATE' },
      { id: 'b', memory: 'two', event: 'DELETE' },
      { id: 'c', event: 'DELETE' },
      { id: 'b', memory: 'two', event: 'NONE' },
    ];
    const { memories, said } = await read({ results: events });
    expect(memories).toEqual(['one', 'two', 'one and more', 'its event is DELETE', 'its event is DELETE', 'two']);
    expect(said).toEqual([
      'memory 3: memory 1 has the same id and another text: both are written',
      'memory 4: memory 2 has the same id and is written: delete it in the service',
    ]);
  });

  it.each([
    ['PK\u0003\u0004', 'it is a ZIP archive: unpack it'],
    ['\u0000[', 'begins as UTF-16 or binary data'],
    ['id,memory', 'it is not one page of JSON after another'],
    ['', 'there is nothing in it'],
  ])('that is none says what it is: %j', async (text, sentence) => {
    await expect(read(text)).rejects.toThrow(sentence);
  });
});
