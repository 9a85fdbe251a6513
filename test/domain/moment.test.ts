import { describe, expect, it } from 'vitest';
import { moment } from '../../contracts/instant.js';

describe('moments that callers name', () => {
  // @covers FILTER-CREATED
  it('may have lower-case letters, as RFC 3339 allows', () => {
    const read = (text: string) => moment.safeParse(text).data ?? null;
    expect(read('2026-01-01t00:00:00z')).toBe('2026-01-01T00:00:00Z');
    expect(read('2026-01-01t00:00:00.5+01:00')).toBe('2026-01-01T00:00:00.5+01:00');
    const wrong = ['2026-01-01', 'tz', '', '2026-01-01T00:00:00', '0000-01-01t00:00:00z'];
    expect(wrong.map(read)).toEqual(wrong.map(() => null));
  });
});
