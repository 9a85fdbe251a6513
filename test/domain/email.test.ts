import { expect, it } from 'vitest';
import { emailKey } from '../../src/domain/email.js';

it('distinguishes no case of ASCII letters, nor the two ways to write an accent', () => {
  expect(emailKey('Iris.KIM@X.org')).toBe('iris.kim@x.org');
  expect(emailKey('Jose\u0301@x.org')).toBe(emailKey('jos\u00e9@X.ORG'));
  expect(emailKey('A\u030angstrom@x.org')).toBe(emailKey('\u00c5ngstrom@x.org'));
});

it.each([
  ['the Kelvin sign', 'iris.\u212aim@x.org'],
  ['a dotted capital I', '\u0130ris.kim@x.org'],
  ['a dotless i', '\u0131ris.kim@x.org'],
  ['a long s', 'iri\u017f.kim@x.org'],
  ['a full-width letter', '\uff49ris.kim@x.org'],
  ['a soft hyphen', 'iris.\u00adkim@x.org'],
  ['a Cyrillic letter', 'ir\u0456s.kim@x.org'],
])('takes no address with %s for one without', (_, other) => {
  expect(emailKey(other)).not.toBe(emailKey('iris.kim@x.org'));
});

it('takes no other character for one of ASCII, and folds no case but of ASCII', () => {
  const ascii = new Set(Array.from({ length: 128 }, (_, at) => emailKey(String.fromCodePoint(at))));
  const wrong: string[] = [];
  for (let code = 128; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const key = emailKey(String.fromCodePoint(code));
    if (ascii.has(key) || Buffer.byteLength(key) === key.length) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
  expect(emailKey('\u00c9')).not.toBe(emailKey('\u00e9'));
});
