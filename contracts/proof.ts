import { z } from 'zod';
import { limits } from './limits.js';

const short = z.string().min(1).max(limits.proofCharacters);

/** The proof that a key is held, as callers send it. */
export const proofIn = z
  .strictObject({
    challenge: short.describe('From GET /v1/agent-id/challenge.'),
    signature: short.describe('Base64url without padding.'),
  })
  .meta({
    id: 'KeyProof',
    description: 'Shows that the private key is held. The guide to identities says which bytes are signed.',
  })
  .nullish();
