import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import { toBase58 } from '../../../src/domain/identity/encodings.js';
import { pemOf } from './writings.js';

/** Everything that must never become an identity, each with its reason. */
export function refusedKeys(): readonly (readonly [why: string, written: unknown])[] {
  return [...privateKeys(), ...weakPoints(), ...wrongEcPoints(), ...wrongJwks(), ...wrongTexts()];
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const u = (text: string) => Buffer.from(text, 'hex').toString('base64url');
/** The same bytes for a decoder that ignores the bits behind them. */
function withSpareBits(text: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + digits.charAt(digits.indexOf(text.slice(-1)) + 1);
}

const multikey = (codec: string, key: string | Uint8Array) =>
  `z${toBase58(Buffer.from(codec + (typeof key === 'string' ? key : hex(key)), 'hex'))}`;

const { publicKey: ed, privateKey: edPrivate } = generateKeyPairSync('ed25519');
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const { x: edX = '' } = ed.export({ format: 'jwk' });
const edHex = Buffer.from(edX, 'base64url').toString('hex');
const gX = '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296';
const gY = '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5';
const edJwk = { kty: 'OKP', crv: 'Ed25519', x: edX };
const ecJwk = { kty: 'EC', crv: 'P-256', x: u(gX), y: u(gY) };

function privateKeys(): [string, unknown][] {
  return [
    ...[edPrivate, p256.privateKey, k1.privateKey].flatMap((key): [string, unknown][] => [
      ['a private JWK', key.export({ format: 'jwk' })],
      ['a private key as PKCS8', key.export({ format: 'pem', type: 'pkcs8' }).toString()],
      [
        'a private key behind a public one',
        createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString() +
          key.export({ format: 'pem', type: 'pkcs8' }),
      ],
      ['PKCS8 under the label of a public key', pemOf(key.export({ format: 'der', type: 'pkcs8' }))],
    ]),
    ['a private key as SEC 1', p256.privateKey.export({ format: 'pem', type: 'sec1' }).toString()],
    ['a private JWK whose d is empty', { ...edJwk, d: '' }],
    ['a private JWK whose d is null', { ...ecJwk, d: null }],
    ['the codec of private Ed25519 keys', multikey('8026', edHex)],
    ['the codec of private secp256k1 keys', multikey('8126', gX)],
    ['the codec of private P-256 keys', multikey('8626', gX)],
    ['64 bytes, as a seed with its key', edHex + edHex],
  ];
}

function weakPoints(): [string, unknown][] {
  const prime = ed25519.Point.Fp.ORDER;
  const encoding = (y: bigint, sign = 0n) => {
    const number = (y + (sign << 255n)).toString(16).padStart(64, '0');
    return hex(Buffer.from(number, 'hex').reverse());
  };
  const mixed = ed25519.Point.BASE.add(ed25519.Point.fromHex(ED25519_TORSION_SUBGROUP[1] ?? ''));
  const points: [string, string][] = [
    ...ED25519_TORSION_SUBGROUP.map((point): [string, string] => ['a point of small order', point]),
    ['y above the prime', encoding(prime + 3n)],
    ['y = p + 1', encoding(prime + 1n)],
    ['y = p, with a sign', encoding(prime, 1n)],
    ['the neutral point with a sign that zero does not have', encoding(1n, 1n)],
    ['the point of order 2 with a sign', encoding(prime - 1n, 1n)],
    ['a point that is not on the curve', encoding(2n)],
    ['a point with a part of small order', hex(mixed.toBytes())],
    ['zeros', '00'.repeat(32)],
    ['ones', 'ff'.repeat(32)],
  ];
  return points.flatMap(([why, point]): [string, unknown][] => [
    [why, point],
    [why, u(point)],
    [why, multikey('ed01', point)],
    [why, { ...edJwk, x: u(point) }],
    [why, pemOf(Buffer.from(`302a300506032b6570032100${point}`, 'hex'))],
  ]);
}

function wrongEcPoints(): [string, unknown][] {
  const spki = '3059301306072a8648ce3d020106082a8648ce3d030107034200';
  return [
    ['a point that is not on the curve', { ...ecJwk, y: u(gX) }],
    ['a coordinate above the prime', { ...ecJwk, x: u('ff'.repeat(32)) }],
    ['the point of the other curve', { ...ecJwk, crv: 'secp256k1' }],
    ['zeros', { ...ecJwk, x: u('00'.repeat(32)), y: u('00'.repeat(32)) }],
    ['an uncompressed point in a multikey', multikey('8024', `04${gX}${gY}`)],
    ['an x without a point', multikey('8024', `02${'00'.repeat(31)}07`)],
    ['x above the prime', multikey('e701', `02${'ff'.repeat(32)}`)],
    ['a point at infinity', multikey('8024', '00')],
    ['a compressed point with the prefix of an uncompressed one', multikey('8024', `04${gX}`)],
    ['a hybrid point', pemOf(Buffer.from(`${spki}07${gX}${gY}`, 'hex'))],
    ['a point off the curve as PEM', pemOf(Buffer.from(`${spki}04${gX}${gX}`, 'hex'))],
    ['a byte behind the DER', pemOf(Buffer.from(`${spki}04${gX}${gY}00`, 'hex'))],
    ['a byte too few in the DER', pemOf(Buffer.from(`${spki}04${gX}${gY.slice(2)}`, 'hex'))],
    ['a length of DER in two bytes', pemOf(Buffer.from(`308159${spki.slice(4)}04${gX}${gY}`, 'hex'))],
  ];
}

function wrongJwks(): [string, unknown][] {
  return [
    ['a coordinate with a zero before it', { ...ecJwk, x: u(`00${gX}`) }],
    ['a coordinate of 31 bytes', { ...ecJwk, y: u(gY.slice(2)) }],
    ['no y', { ...ecJwk, y: undefined }],
    ['y as a number', { ...ecJwk, y: 4 }],
    ['padding in a coordinate', { ...edJwk, x: `${edX}=` }],
    ['bits behind a coordinate', { ...edJwk, x: withSpareBits(edX) }],
    ['an OKP key with y', { ...edJwk, y: u(gY) }],
    ['OKP on the curve of EC', { ...ecJwk, kty: 'OKP' }],
    ['EC on the curve of OKP', { ...edJwk, kty: 'EC' }],
    ['no curve', { kty: 'OKP', x: edX }],
    ['no type', { crv: 'Ed25519', x: edX }],
    ['a key for agreement', { ...edJwk, crv: 'X25519' }],
    ['another curve', { ...ecJwk, crv: 'P-384' }],
    ['the name of the curve in another case', { ...edJwk, crv: 'ed25519' }],
    ['an algorithm of another key', { ...ecJwk, alg: 'EdDSA' }],
    ['a list for an algorithm', { ...ecJwk, alg: ['ES256'] }],
    ['a key for encryption', { ...edJwk, use: 'enc' }],
    ['operations of a private key', { ...edJwk, key_ops: ['sign'] }],
    ['a certificate beside the key', { ...ecJwk, x5c: ['MIIB'] }],
    ['an RSA key beside the key', { ...ecJwk, n: 'AQAB', e: 'AQAB' }],
    ['a secret key', { kty: 'oct', k: edX }],
    ['an empty object', {}],
    ['a list', [edJwk]],
    ['a set of keys', { keys: [edJwk] }],
    ['null', null],
    ['a number', 7],
    ['true', true],
  ];
}

function wrongTexts(): [string, unknown][] {
  const z = multikey('ed01', edHex);
  const pem = ed.export({ format: 'pem', type: 'spki' }).toString();
  return [
    ['an empty text', ''],
    ['31 bytes', edHex.slice(2)],
    ['hex with 0x', `0x${edHex}`],
    ['padding', `${edX}=`],
    ['bits behind 32 bytes', withSpareBits(edX)],
    ['bits behind a multikey', `u${withSpareBits(Buffer.from(`ed01${edHex}`, 'hex').toString('base64url'))}`],
    ['spaces around it', ` ${edX}`],
    ['a line break behind it', `${z}\n`],
    ['a byte behind it', multikey('ed01', `${edHex}00`)],
    ['a byte too few', multikey('ed01', edHex.slice(2))],
    ['zeros before the codec', `z1${z.slice(1)}`],
    ['a varint in more bytes than it needs', multikey('ed8100', edHex)],
    ['a codec of key agreement', multikey('ec01', edHex)],
    ['base58 with a digit that it does not have', z.replace(/.$/, '0')],
    ['another base', `f${'ed01'}${edHex}`],
    ['base64url with padding', `u${Buffer.from(`ed01${edHex}`, 'hex').toString('base64url')}==`],
    ['another method', `did:web:${z}`],
    ['a DID in capitals', `DID:KEY:${z}`],
    ['a DID with a fragment', `did:key:${z}#${z}`],
    ['a raw key as DID', `did:key:${edHex}`],
    ['two PEM blocks', pem + pem],
    ['text before the PEM block', `key:\n${pem}`],
    ['a PEM block without its end', pem.slice(0, -12)],
    ['a certificate', pem.replaceAll('PUBLIC KEY', 'CERTIFICATE')],
    [
      'an RSA key',
      generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'pem', type: 'spki' }),
    ],
    ['an address with a wrong checksum', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['an address with 39 digits', `0x${'a'.repeat(39)}`],
    ['an address with 41 digits', `0x${'a'.repeat(41)}`],
    ['an address without 0x', 'a'.repeat(40)],
    ['an address on one chain', `eip155:1:0x${'a'.repeat(40)}`],
    ['a very long text', 'z'.repeat(1_000_000)],
    ['very many digits', `z${'2'.repeat(2000)}`],
  ];
}
