import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

/** An address of Ethereum is the end of the hash of a key, and stands for an identity of its own. */
const form = /^(?:eip155:)?0x([0-9a-fA-F]{40})$/;

/** @returns `eip155:` and the address in lowercase; null for another text, and for a mixed case that is not EIP-55 */
export function readAccount(text: string): string | null {
  const [, digits] = form.exec(text) ?? [];
  if (digits === undefined) return null;
  const lower = digits.toLowerCase();
  const isMixed = digits !== lower && digits !== digits.toUpperCase();
  return isMixed && digits !== withChecksum(lower) ? null : `eip155:0x${lower}`;
}

/** The digits as EIP-55 writes them: letters are capitals where the hash of the address says so. */
function withChecksum(lower: string): string {
  const hash = hexOf(keccak_256(Buffer.from(lower, 'ascii')));
  return lower.replace(/[a-f]/g, (letter, at: number) =>
    /[89a-f]/.test(hash.charAt(at)) ? letter.toUpperCase() : letter,
  );
}

/**
 * The account that signed `message` under EIP-191 (`personal_sign`); null when the signature is of none.
 * @param signature r ‖ s ‖ v, where v is 27 or 28, or 0 or 1
 */
export function signingAccount(message: Uint8Array, signature: Uint8Array): string | null {
  const v = signature[64] ?? -1;
  const recovery = v >= 27 ? v - 27 : v;
  if (signature.length !== 65 || (recovery !== 0 && recovery !== 1)) return null;
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`, 'ascii');
  try {
    const { r, s } = secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact');
    const key = new secp256k1.Signature(r, s, recovery).recoverPublicKey(keccak_256(Buffer.concat([prefix, message])));
    return `eip155:0x${hexOf(keccak_256(key.toBytes(false).subarray(1)).subarray(12))}`;
  } catch {
    return null;
  }
}

/** Whether 64 hex digits are a private key of an account. */
export const isPrivateKey = (digits: string): boolean =>
  /^[0-9a-f]{64}$/.test(digits) && secp256k1.utils.isValidSecretKey(Buffer.from(digits, 'hex'));

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
