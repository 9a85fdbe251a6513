import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { exportJWK } from 'jose';
import { createSignatureKeys } from '../../src/adapters/signature-keys.js';
import { readPublicKey } from '../../src/domain/identity/public-key.js';
import { attestedBytes, type KnownKey } from '../../src/domain/task/attestations.js';
import { receiptPayloadType } from '../../src/domain/task/dsse.js';
import { canonical } from '../../src/verifier/canonical.js';

const types = { Ed25519: 'EdDSA', 'P-256': 'ES256', secp256k1: 'ES256K' } as const;
type CurveName = keyof typeof types;

/** Public keys as the service reads them. */
export const keys = createSignatureKeys();

/** A holder of a private key. */
export interface Signer {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly known: KnownKey;
  readonly alg: string;
}

export async function signer(curve: CurveName, name: string): Promise<Signer> {
  const pair = curve === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: curve });
  const publicKey = readPublicKey(await exportJWK(pair.publicKey)) ?? '';
  const thumbprint = keys.read(publicKey)?.thumbprint ?? '';
  const names = new Set([name, publicKey, `did:key:${publicKey}`, thumbprint]);
  return { ...pair, known: { signer: name, publicKey, curve, names }, alg: types[curve] };
}

const receipt = {
  receipt_id: 'r-1',
  agent_handle: '@bot',
  cost_usd: 0.1,
  z: 'private',
  attestations: [{ type: 'jws' }],
};
/** The bytes that attestations of this receipt sign. */
export const payload = attestedBytes(canonical(receipt));

/** A signature as JWS has it. */
export const raw = ({ privateKey, alg }: Signer, message: Uint8Array): Buffer =>
  sign(alg === 'EdDSA' ? null : 'sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' });

export const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');

/** A compact JWS with any header at all, which libraries refuse to make. */
export function compact(by: Signer, header: object, over: Uint8Array = payload): string {
  const text = `${base64url(JSON.stringify(header))}.${base64url(over)}`;
  return `${text}.${base64url(raw(by, Buffer.from(text)))}`;
}

export function envelope(by: Signer, more: object = {}, over: Uint8Array = payload, type = receiptPayloadType) {
  const message = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${over.length} `), over]);
  const signature = { sig: raw(by, message).toString('base64'), ...more };
  return { payloadType: type, payload: Buffer.from(over).toString('base64'), signatures: [signature] };
}
