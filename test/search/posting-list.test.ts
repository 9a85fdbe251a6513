import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entriesOf } from '../../projections/search/buckets.js';
import { continued, listOf } from '../../projections/search/posting-list.js';

/** Postings of two words of one bucket: the offset, the word, and how often the document has it. */
const posting = fc.tuple(fc.nat({ max: 255 }), fc.nat({ max: 1 }), fc.integer({ min: 1, max: 9 }));
const blocks = fc
  .uniqueArray(
    fc.record({ block: fc.nat({ max: 12 }), postings: fc.uniqueArray(posting, { selector: ([at]) => at }) }),
    {
      selector: ({ block }) => block,
    },
  )
  .map((all) =>
    all
      .sort((a, b) => a.block - b.block)
      .map(({ block, postings }) => ({ block, entries: entriesOf(postings.sort((a, b) => a[0] - b[0]).flat()) })),
  );

test('a list that is continued is the list of all blocks', () => {
  fc.assert(
    fc.property(blocks, blocks, fc.integer({ min: 1, max: 13 }), (before, later, from) => {
      // What is there from `from` on has changed since the list was made.
      const now = [...before.filter(({ block }) => block < from), ...later.filter(({ block }) => block >= from)];
      // The rest of the hash of a word is above the nine bits of its bucket.
      for (const term of ['0', '512', '1024']) {
        const added = now.filter(({ block }) => block >= from);
        expect(continued(listOf(before, term), from, listOf(added, term))).toEqual(listOf(now, term));
      }
    }),
  );
});
