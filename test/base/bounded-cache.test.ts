import { describe, expect, test } from 'vitest';
import { BoundedCache } from '../../src/base/bounded-cache.js';

/** Which of these are kept. To ask is to use, so this comes last in a test. */
const among = (kept: BoundedCache<string>, keys: string): string =>
  [...keys].filter((key) => kept.get(key) === key).join('');

describe('what is kept', () => {
  test('goes by sizes, the one that was not used for the longest time first', () => {
    const kept = new BoundedCache<string>(10);
    for (const key of 'abcde') kept.set(key, key, 2);
    expect(kept.get('a')).toBe('a');
    kept.set('f', 'f', 3);
    expect(among(kept, 'abcdef')).toBe('adef');
  });

  test('stays as long as all of it fills the room exactly', () => {
    const kept = new BoundedCache<string>(10);
    kept.set('a', 'a', 5);
    kept.set('b', 'b', 5);
    expect(among(kept, 'ab')).toBe('ab');
  });

  test('is used by asking for it, and by setting it again', () => {
    const kept = new BoundedCache<string>(3);
    for (const key of 'abc') kept.set(key, key, 1);
    kept.set('a', 'a', 1);
    kept.get('b');
    kept.set('d', 'd', 1);
    expect(among(kept, 'abcd')).toBe('abd');
  });

  test('counts a value that is set again by its new size alone', () => {
    const kept = new BoundedCache<string>(10);
    kept.set('a', 'a', 4);
    kept.set('b', 'b', 8);
    kept.set('b', 'b', 2);
    kept.set('c', 'c', 8);
    expect(among(kept, 'abc')).toBe('bc');
    kept.set('b', 'b', 3);
    expect(among(kept, 'abc')).toBe('b');
  });

  test('holds the newest value even when it is larger than all the room, until the next one comes', () => {
    const kept = new BoundedCache<string>(10);
    kept.set('a', 'a', 4);
    kept.set('b', 'b', 100);
    expect(among(kept, 'ab')).toBe('b');
    kept.set('c', 'c', 10);
    expect(among(kept, 'abc')).toBe('c');
    expect(kept.get('no one set this')).toBeUndefined();
  });
});
