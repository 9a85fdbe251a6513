import { expect, it } from 'vitest';
import { comparedName, whiteSpace } from '../../src/domain/namespace-name.js';

it('takes each white space of a name for a space, and the database knows the same ones', () => {
  const folded = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code)).filter(
    (character) => comparedName(`a${character}b`) === 'a b',
  );
  expect(folded.join('')).toBe(whiteSpace);
  expect(comparedName('Team\u00a0A\u2003\u3000b')).toBe('Team A  b');
  expect(comparedName('ta\u200bm\ufeff')).toBe('ta\u200bm\ufeff');
});
