import { ed25519 } from '@noble/curves/ed25519.js';

/** The library makes the same keys in every browser, also on pages without TLS, where Web Crypto is missing. */
export const { keygen, sign } = ed25519;
