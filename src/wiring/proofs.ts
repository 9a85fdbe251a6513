import type { World } from '../base/world.js';
import { createProofs } from '../commands/proofs.js';
import type { Database } from '../database/database.js';
import { createChallenges } from '../domain/identity/challenge.js';
import { sharedSecret } from './start/bootstrap.js';

/** The checks of proofs of identities. Every process on the store takes the challenges that another one has issued. */
export async function wireProofs({ database, world }: { readonly database: Database; readonly world: World }) {
  const challenges = createChallenges(await sharedSecret(database, world, 'challenges'), world.random);
  return createProofs({ database, world, challenges });
}
