import { describe, expect, it } from 'vitest';
import { createSealed } from '../../src/pages/sealed.js';

describe('texts that a page seals', () => {
  const sealed = createSealed(new Uint8Array(32).fill(7));
  const text = 'When did Ada move to Lisbon? ü🙂';

  it('are read by the same session and purpose in every process with the secret, and do not show the text', () => {
    const one = sealed.seal('s1', 'p1', text);
    expect(createSealed(new Uint8Array(32).fill(7)).open('s1', 'p1', one)).toBe(text);
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('Ada');
    expect(sealed.seal('s1', 'p1', text)).not.toBe(one);
  });

  it('are nothing for another session, another purpose, another secret, or when they were changed', () => {
    const one = sealed.seal('s1', 'p1', text);
    const bytes = Buffer.from(one, 'base64url');
    const changed = [...bytes.keys()].map((at) => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy.toString('base64url');
    });
    const others = [sealed.open('s2', 'p1', one), sealed.open('s1', 'p2', one)];
    expect([...others, createSealed(new Uint8Array(32)).open('s1', 'p1', one)]).toEqual([null, null, null]);
    expect(new Set(changed.map((text) => sealed.open('s1', 'p1', text)))).toEqual(new Set([null]));
    expect(['', 'x', 'AAAA', one.slice(0, -4)].map((text) => sealed.open('s1', 'p1', text))).toEqual(
      Array(4).fill(null),
    );
  });
});
