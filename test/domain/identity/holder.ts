import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { readBoundKey } from '../../../src/domain/identity/public-key.js';

/** Someone who holds a private key: the public key in one writing, and signatures over bytes in base64url. */
export interface Holder {
  readonly publicKey: string;
  /** The key as it is bound. */
  readonly bound: string;
  sign(message: Uint8Array): string;
}

export type HolderKind = 'Ed25519' | 'P-256' | 'secp256k1' | 'Ethereum';
export const holderKinds: readonly HolderKind[] = ['Ed25519', 'P-256', 'secp256k1', 'Ethereum'];

export function newHolder(kind: HolderKind): Holder {
  return kind === 'Ethereum' ? newAccount() : holderOf(kind, newPrivateKey(kind));
}

function newPrivateKey(kind: 'Ed25519' | 'P-256' | 'secp256k1'): KeyObject {
  if (kind === 'Ed25519') return generateKeyPairSync('ed25519').privateKey;
  return generateKeyPairSync('ec', { namedCurve: kind }).privateKey;
}

function holderOf(kind: HolderKind, key: KeyObject): Holder {
  const publicKey = createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString();
  return {
    publicKey,
    bound: readBoundKey(publicKey) ?? '',
    sign: (message) =>
      sign(kind === 'Ed25519' ? null : 'sha256', message, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  };
}

/** Signs as wallets do: EIP-191, with v of 27 or 28 at the end. */
function newAccount(): Holder {
  const { secretKey, publicKey } = secp256k1.keygen();
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  const address = `0x${Buffer.from(keccak_256(point.subarray(1)).subarray(12)).toString('hex')}`;
  return {
    publicKey: address,
    bound: `eip155:${address}`,
    sign(message) {
      const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`);
      const hash = keccak_256(Buffer.concat([prefix, message]));
      const [v = 0, ...rs] = secp256k1.sign(hash, secretKey, { prehash: false, format: 'recovered' });
      return Buffer.from([...rs, v + 27]).toString('base64url');
    },
  };
}
