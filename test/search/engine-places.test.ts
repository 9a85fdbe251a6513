import { expect, test } from 'vitest';
import { nearestPlaces, TooFewCandidates } from '../../projections/search/engine-candidates.js';

const place = (seq: number, score: number, namespaceId = 'a') => ({ namespaceId, seq, score });
const places = [place(4, 0.9), place(7, 0.8), place(3, 0.8), place(3, 0.8, 'b'), place(9, 0.6)];
const seqs = (rest: number, size: number, has: (seq: number) => boolean = () => true) =>
  nearestPlaces({ places, rest }, size, { has, few: undefined }).map(({ seq, namespaceId }) => `${seq}${namespaceId}`);

// @covers ESR-SCORES
test('the nearest places come first, and equal ones in the order of writing', () => {
  expect(seqs(Number.NEGATIVE_INFINITY, 10)).toEqual(['4a', '3a', '3b', '7a', '9a']);
  expect(seqs(0.5, 3)).toEqual(['4a', '3a', '3b']);
  expect(seqs(0.6, 3)).toEqual(['4a', '3a', '3b']);
});

// @covers ESR-SCORES ESR-WIDENED
test('more are requested while a place that was not given may be as near as the last one', () => {
  expect(() => seqs(0.8, 3)).toThrow(TooFewCandidates);
  expect(() => seqs(0.6, 5)).toThrow(TooFewCandidates);
  expect(() => seqs(0.5, 6)).toThrow(TooFewCandidates);
  expect(() => seqs(0.7, 3, (seq) => seq !== 7)).not.toThrow();
  expect(() => seqs(0.7, 3, (seq) => seq !== 3)).toThrow(TooFewCandidates);
  expect(seqs(Number.NEGATIVE_INFINITY, 3, (seq) => seq !== 3)).toEqual(['4a', '7a', '9a']);
});
