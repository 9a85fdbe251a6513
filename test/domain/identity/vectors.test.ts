import { describe, expect, it } from 'vitest';
import { identityName } from '../../../contracts/identities.js';
import { agentIdOf } from '../../../src/domain/identity/binding.js';
import { toBase32, toBase58 } from '../../../src/domain/identity/encodings.js';
import { readPublicKey } from '../../../src/domain/identity/public-key.js';

const rfc8032 = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const ofRfc8032 = 'z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw';
const u = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');

/** The base points of the two curves. */
const p256 = {
  kty: 'EC',
  crv: 'P-256',
  x: u('6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'),
  y: u('4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5'),
};
const secp256k1 = {
  kty: 'EC',
  crv: 'secp256k1',
  x: u('79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'),
  y: u('483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'),
};

interface Vector {
  readonly key: unknown;
  readonly vendor: string | null;
  readonly name: string | null;
  readonly multikey: string;
  readonly id: string;
}

const vectors: readonly Vector[] = [
  { key: rfc8032, vendor: null, name: null, multikey: ofRfc8032, id: 'agn_n6ww6hdvylp7uxoovmyqzeovrglksgvm' },
  { key: rfc8032, vendor: 'Acme', name: null, multikey: ofRfc8032, id: 'agn_7rvn7ic4qifexxsiy4fo55pslooubz3o' },
  { key: rfc8032, vendor: 'Acme', name: 'Bot', multikey: ofRfc8032, id: 'agn_wh5r7zwyel7xyuz4j7rqih3h7wfowjjs' },
  {
    key: rfc8032,
    vendor: 'Ve\u0308ndor ',
    name: ' Résumé bot',
    multikey: ofRfc8032,
    id: 'agn_hf5k4eu53xgwvbgnzansmlpj5wpmvhss',
  },
  {
    key: p256,
    vendor: null,
    name: null,
    multikey: 'zDnaepsL7AXenJkVYdkh5KuKsSU7Ykh7kyXaLLU7auN9FWSiZ',
    id: 'agn_dsqz2jhrejbdityeyxwdp6o2qoasojcw',
  },
  {
    key: secp256k1,
    vendor: null,
    name: null,
    multikey: 'zQ3shVc2UkAfJCdc1TR8E66J85h48P43r93q8jGPkPpjF9Ef9',
    id: 'agn_unwqodbwi2cvdxjmbrk7abq76j6dbyek',
  },
];

describe('identifiers', () => {
  // @covers IDENTITY-ID
  it.each(vectors)('$id is the identifier of $multikey, $vendor and $name', ({ key, vendor, name, multikey, id }) => {
    expect(readPublicKey(key)).toBe(multikey);
    const binding = {
      agent_name: identityName.parse(name),
      public_key: multikey,
      vendor: identityName.parse(vendor),
    };
    expect(agentIdOf(binding)).toBe(id);
  });

  it('names are compared in NFC and without spaces around them, and an empty one is absent', () => {
    expect(identityName.parse('  Ve\u0308ndor\u00a0')).toBe('Vëndor');
    expect(identityName.parse('')).toBeNull();
    expect(identityName.parse(' \t ')).toBeNull();
    expect(identityName.parse(null)).toBeNull();
  });

  it.each(['a\nb', 'a\0', '\u0085', '\ud800', 'é'.repeat(65), '\u{1f600}'.repeat(65)])('%j is no name', (text) => {
    expect(identityName.safeParse(text).success).toBe(false);
  });

  it('names are counted in code points, after spaces are removed', () => {
    expect(identityName.parse(` ${'\u{1f600}'.repeat(64)} `)).toBe('\u{1f600}'.repeat(64));
    expect(identityName.parse('e\u0301'.repeat(64))).toBe('é'.repeat(64));
  });

  it('base32 and base58 are those of their definitions', () => {
    const base32 = ['', 'my', 'mzxq', 'mzxw6', 'mzxw6yq', 'mzxw6ytb', 'mzxw6ytboi'];
    expect(base32.map((_, length) => toBase32(Buffer.from('foobar').subarray(0, length)))).toEqual(base32);
    expect(toBase58(Buffer.from('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U');
    expect(toBase58(Buffer.from('0000287fb4cd', 'hex'))).toBe('11233QC4');
  });
});
