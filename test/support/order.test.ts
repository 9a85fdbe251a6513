import { expect, it } from 'vitest';
import { spread } from './order.js';

const named = (...names: string[]) => names.map((name) => ({ moduleId: `/test/slow/${name}.test.ts` }));
const ordered = (...names: string[]) => spread(named(...names));

it('spreads the suites that wait, and ends with short ones', () => {
  expect(ordered('faults/a', 'faults/b', 'http/a', 'http/b', 'http/c', 'http/d')).toEqual(
    named('faults/a', 'http/a', 'http/b', 'faults/b', 'http/c', 'http/d'),
  );
});

it('begins with small files that take long', () => {
  expect(ordered('http/a', 'corpus/pdf', 'corpus/pdf-extractor')).toEqual(
    named('corpus/pdf-extractor', 'http/a', 'corpus/pdf'),
  );
});

it('leaves out no file', () => {
  expect(ordered('faults/a', 'faults/b')).toEqual(named('faults/a', 'faults/b'));
  expect(ordered('http/a')).toEqual(named('http/a'));
  expect(ordered()).toEqual([]);
});
