import { keccak_256 } from '@noble/hashes/sha3.js';

/** The Keccak-256 of bytes, in hex with `0x`. */
export const keccak256 = (bytes: Uint8Array): string => `0x${Buffer.from(keccak_256(bytes)).toString('hex')}`;
