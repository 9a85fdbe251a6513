import type { KeyProof } from '../../contracts/entries/registry.js';
import { Refusal } from '../../contracts/errors.js';
import { useChallenge } from '../../projections/registry/queries.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import type { Challenge, Challenges } from '../domain/identity/challenge.js';
import { isSigned } from '../domain/identity/signature.js';
import type { RequestKey } from './once.js';

/** Proofs that keys are held, each of which uses up a challenge. */
export interface Proofs {
  challenge(): Challenge;
  /**
   * Checks the signature, and that the challenge may still be used.
   * @param message the bytes that the holder signs
   * @throws Refusal invalid_proof, challenge_expired
   */
  check(publicKey: string, message: Uint8Array, proof: KeyProof): void;
  /**
   * Uses up the challenge of a proof that was checked, before anything is appended: of two requests with one challenge
   * one continues, in any processes. If the append then fails, the challenge is spent.
   * @param request may use it again when it is repeated under its Idempotency-Key
   * @throws Refusal challenge_expired
   */
  use(proof: KeyProof, request: RequestKey): Promise<void>;
}

/** More than the clocks of two processes differ. */
const clockDifferenceMs = 3_600_000;

interface ProofParts {
  readonly database: Pick<Database, 'transaction'>;
  readonly world: World;
  readonly challenges: Challenges;
}

export function createProofs({ database, world, challenges }: ProofParts): Proofs {
  const expiryOf = ({ challenge }: KeyProof): Date => {
    const expiry = challenges.expiryOf(challenge);
    if (expiry === null) throw new Refusal('invalid_proof', 'This challenge is not from this service.');
    if (expiry <= world.now()) throw new Refusal('challenge_expired');
    return expiry;
  };
  return {
    challenge: () => challenges.issue(world.now()),
    check(publicKey, message, proof) {
      expiryOf(proof);
      if (!isSigned(publicKey, message, proof.signature)) throw new Refusal('invalid_proof');
    },
    async use(proof, request) {
      const use = {
        challenge: proof.challenge,
        request: request ? `${request.requestKey} ${request.digest}` : world.nonce(),
        forgetAt: new Date(expiryOf(proof).getTime() + clockDifferenceMs),
        now: world.now(),
      };
      if (!(await database.transaction((tx) => useChallenge(tx, use)))) throw new Refusal('challenge_expired');
    },
  };
}
