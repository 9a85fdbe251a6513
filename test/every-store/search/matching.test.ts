import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Match, matchingMemories } from '../../../projections/search/queries.js';
import { tsqueryText, type WordQuery, withFewest, wordsOf } from '../../../projections/search/tsquery.js';
import type { Caller } from '../../../src/domain/caller.js';
import { noFilter } from '../../../src/domain/filters.js';
import { newStore, type Store } from '../../maintenance/store.js';
import { searchedWith } from '../../search/searched.js';

let store: Store;
let caller: Caller;
beforeAll(async () => {
  store = await newStore();
  caller = await store.openWorkspace();
  const words = ['river', 'boat', "o'clock", 'mountain', 'tea', 'Lisbon', 'river boat', 'back\\slash', 'the'];
  const text = (i: number) => words.filter((_, k) => (i * 2654435761) & (1 << (k + 3))).join(' ');
  await Promise.all(Array.from({ length: 120 }, (_, i) => store.add(caller, `${text(i)} ${i}`)));
  await store.ingest();
}, 120_000);
afterAll(() => store.close());

async function found(q: string, beforeSeq: number | null = null): Promise<number[]> {
  return store.database.read(async (tx) => {
    const seqs: number[] = [];
    const query = { namespaceIds: caller.namespaceIds, q, beforeSeq };
    for await (const some of matchingMemories(tx, searchedWith(), query)) {
      seqs.push(...some.map(({ seq }) => seq));
    }
    return seqs;
  });
}

/** Everything that PostgreSQL says when it compares every memory with the query. */
async function matched(q: string): Promise<number[]> {
  const rows = await store.sql<{ seq: number }>(
    `select d.seq from search_documents d where exists (select 1 from search_texts t
       where t.memory_id = d.memory_id and t.words @@ websearch_to_tsquery('english', $1)) order by d.seq desc`,
    [q],
  );
  return rows.map(({ seq }) => seq);
}

describe('a list by words holds what PostgreSQL finds, newest first', () => {
  test.each([
    ...['river', 'rivers', 'river boat', '"river boat"', '"boat river"', 'river or tea', 'river -tea', '-tea'],
    ...["o'clock", 'back\\slash', 'tea or -lisbon', '"river boat" or "tea lisbon" -mountain', 'no one', '17', '-17'],
    ...['river no one', 'river or no one', '-"river boat"', 'mountain "tea lisbon" or river -boat', '"the river"'],
    ...[Array.from({ length: 300 }, (_, i) => `w${i}`).join(' '), 'river '.repeat(300)],
  ])('%s', async (q) => {
    expect(await found(q)).toEqual(await matched(q));
  });
});

test('any query finds what PostgreSQL finds, however many words it has', async () => {
  const word = fc.constantFrom(
    'river',
    'boat',
    'mountain',
    'tea',
    'lisbon',
    'the',
    'no one',
    '17',
    '18',
    '"river boat"',
  );
  const part = fc.tuple(fc.constantFrom('', '', '', '-', 'or '), word).map((parts) => parts.join(''));
  const queries = fc.oneof(
    fc.array(part, { minLength: 1, maxLength: 12 }),
    fc.array(word, { minLength: 8, maxLength: 60 }),
    fc.uniqueArray(word, { minLength: 5, maxLength: 9 }),
  );
  const check = async (parts: string[]) => {
    // A query of stop words alone finds nothing in PostgreSQL; here its texts are read (see below).
    fc.pre(!parts.every((one) => one.endsWith('the')));
    expect(await found(parts.join(' '))).toEqual(await matched(parts.join(' ')));
  };
  await fc.assert(fc.asyncProperty(queries, check), { numRuns: 150 });
}, 60_000);

const word = (lexeme: string): WordQuery => ({ kind: 'word', lexeme });

test('of parts that must all be there the rarest are kept', () => {
  const parts: WordQuery[] = [
    ...['a', 'bb', 'ccc'].map(word),
    { kind: 'not', part: word('d') },
    {
      kind: 'any',
      parts: [word('eeeeeeeee'), { kind: 'all', parts: [word('f'), word('gggggggg'), word('hhhhhhhhh')] }],
    },
  ];
  const rare = withFewest({ kind: 'all', parts }, 2, (lexeme) => 10 - lexeme.length);
  expect(wordsOf(rare)).toEqual(['ccc', 'eeeeeeeee', 'gggggggg', 'hhhhhhhhh']);
});

test('nothing is found by what has no words, or by a stop word that must be missing', async () => {
  for (const q of ['?', '', ' - ', '""', '🙂', '-the', '-"the"']) expect(await found(q)).toEqual([]);
});

test('stop words alone are looked for in the texts', async () => {
  const [all, some] = [await found('-nothing'), await found('the')];
  expect(some.length).toBeGreaterThan(20);
  expect(some.length).toBeLessThan(all.length);
  expect(await found('the', some[9])).toEqual(some.slice(10));
});

test('a list continues behind a memory', async () => {
  const all = await found('river');
  expect(all.length).toBeGreaterThan(20);
  expect(await found('river', all[9])).toEqual(all.slice(10));
});

test('a list with a filter shows what passes it, also once it is known what does not', async () => {
  const searched = searchedWith();
  const query = { namespaceIds: caller.namespaceIds, q: '-lisbon', beforeSeq: null };
  const byIndex = (_: unknown, namespaceIds: string) =>
    `select seq from memories where namespace_id = any(${namespaceIds}) and seq % 10 = 3`;
  const expected = (await matched('-lisbon')).filter((seq) => seq % 10 === 3);
  for (let round = 0; round < 3; round++) {
    for (const among of [[], [byIndex]]) {
      const condition = Object.assign(() => 'm.seq % 10 = 3', { key: 'tens', among });
      const looked: number[] = [];
      const shown = async (found: readonly Match[]) => {
        looked.push(...found.map(({ seq }) => seq));
        return found.filter(({ seq }) => seq % 10 === 3);
      };
      const seqs = await store.database.read(async (tx) => {
        const all: number[] = [];
        const list = matchingMemories(tx, searched, query, { filter: { tree: noFilter }, condition, shown });
        for await (const some of list) all.push(...some.map(({ seq }) => seq));
        return all;
      });
      expect(seqs).toEqual(expected);
      if (round > 0 || among.length > 0) expect(looked).toEqual(expected);
    }
  }
});

test('a query is written so that PostgreSQL reads it', async () => {
  const phrase: WordQuery = {
    kind: 'phrase',
    parts: [
      { kind: 'word', lexeme: "it's\\", weight: 'A' },
      { kind: 'any', parts: [word('b c'), word('≈d')] },
      word('e'),
    ],
    places: [0, 1, 4],
  };
  const query: WordQuery = {
    kind: 'any',
    parts: [
      { kind: 'all', parts: [phrase, word("'")] },
      { kind: 'not', part: word('f') },
    ],
  };
  const [row] = await store.sql<{ text: string }>('select $1::tsquery::text as text', [tsqueryText(query)]);
  expect(row?.text).toBe(`'it''s\\\\':A <-> ( 'b c' | '≈d' ) <3> 'e' & '''' | !'f'`);
  expect(wordsOf(query)).toEqual(["it's\\", 'b c', '≈d', 'e', "'"]);
});
