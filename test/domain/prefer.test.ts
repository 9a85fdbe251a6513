import { expect, it } from 'vitest';
import { preferredWait } from '../../src/domain/prefer.js';

// @covers WAIT-PREFER
it.each([
  ['wait=5', 5],
  ['respond-async, wait=10', 10],
  ['WAIT = "7" ; foo="a"', 7],
  ['wait=1, wait=9', 1],
  ['wait=0', 0],
  ['return=minimal', null],
  ['wait', null],
  ['wait=soon', null],
  ['wait=-1', null],
  ['awaits=3', null],
  ['', null],
  [undefined, null],
])('%s prefers to wait for %s seconds', (header, seconds) => {
  expect(preferredWait(header)).toBe(seconds);
});
