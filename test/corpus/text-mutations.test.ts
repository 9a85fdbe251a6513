import { describe, expect, it } from 'vitest';
import { repeats } from '../support/repeats.js';
import { mutations, type Verdict, verdictOf } from './text-mutations.js';
import { readText } from './texts-reading.js';

/** Of a hundred: texts that are so short, or so alike in two charsets, that no detector is sure of the other one. */
const mostBelieved = 5;

describe('texts with flipped bytes, cut, and in another charset than they declare', () => {
  // @covers IMPORT-CHARSETS
  it('are right, refused or reported, and never wrong without a word', async () => {
    const count = repeats('TEXT_MUTATIONS');
    const found: Record<Verdict, string[]> = { right: [], refused: [], reported: [], believed: [], wrong: [] };
    for (const mutation of mutations(count, 34)) {
      const contentType = mutation.label === '' ? '' : `text/plain; charset=${mutation.label}`;
      const read = await readText('a.txt', mutation.bytes, contentType);
      found[verdictOf(mutation, read)].push(mutation.name);
    }
    expect(found.wrong).toEqual([]);
    expect(found.believed.length).toBeLessThanOrEqual((count * mostBelieved) / 100);
    // Most of them are still texts: a reader that refuses them all would be no reader.
    expect(found.right.length + found.reported.length).toBeGreaterThan(count / 2);
  });
});
