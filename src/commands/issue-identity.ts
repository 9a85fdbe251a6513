import type { Draft } from '../../contracts/entries/entry.js';
import type { Binding, KeyProof } from '../../contracts/entries/registry.js';
import { receiptId, type World } from '../base/world.js';
import { agentIdOf } from '../domain/identity/binding.js';
import type { Command } from './command.js';
import { system } from './open-workspace.js';
import { entries } from './record.js';

interface IdentityIssued {
  readonly agentId: string;
  /** False when the same binding was issued before. */
  readonly created: boolean;
}

/**
 * Issues the identity of a binding in the registry, once however often it is requested.
 * @param proof a checked proof that its key is held; null when there is none
 */
export function issueIdentity(world: World, binding: Binding, proof: KeyProof | null): Command<IdentityIssued> {
  const agentId = agentIdOf(binding);
  const [issued, verified] = [receiptId(world), receiptId(world)];
  return {
    actor: system,
    reads: { identities: [agentId] },
    decide(state) {
      const known = state.identities.get(agentId);
      const drafts: Draft[] = [];
      if (!known) drafts.push({ kind: 'identity.issued', receipt_id: issued, body: { agn_id: agentId, binding } });
      if (proof && !known?.isVerified)
        drafts.push({ kind: 'identity.verified', receipt_id: verified, body: { agn_id: agentId, proof } });
      return entries(drafts, { agentId, created: !known });
    },
  };
}
