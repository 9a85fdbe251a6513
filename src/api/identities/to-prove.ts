import type { Binding } from '../../../contracts/entries/registry.js';
import { Refusal } from '../../../contracts/errors.js';
import { identityName } from '../../../contracts/identities.js';
import { agentIdOf } from '../../domain/identity/binding.js';
import { agentProof, linkProof } from '../../domain/identity/proof.js';
import { readBoundKey } from '../../domain/identity/public-key.js';

/** The parts of an identity, as they are bound: names without the spaces around them, and one writing of each key. */
export function bindingOf(given: {
  readonly public_key: unknown;
  readonly vendor: string;
  readonly agent_name: string;
}): Binding {
  const key = readBoundKey(given.public_key);
  if (key === null) throw new Refusal('invalid_public_key');
  const [vendor, name] = [identityName.safeParse(given.vendor), identityName.safeParse(given.agent_name)];
  if (!name.success) throw new Refusal('invalid_name');
  if (!vendor.success)
    throw new Refusal('invalid_request', 'vendor: must have at most 64 characters, none of control.');
  return { agent_name: name.data, public_key: key, vendor: vendor.data };
}

/** The parts of the texts that the holder of the key signs, with a zero byte between each two: for the link, and for the identity. */
export function textsToSign(
  binding: Binding,
  link: { readonly workspaceId: string; readonly handle: string },
  challenges: { readonly link: string; readonly identity: string },
): { readonly agentId: string; readonly link: readonly string[]; readonly identity: readonly string[] } {
  const agentId = agentIdOf(binding);
  return {
    agentId,
    link: partsOf(linkProof(agentId, challenges.link, link.workspaceId, link.handle)),
    identity: partsOf(agentProof(agentId, challenges.identity)),
  };
}

const partsOf = (bytes: Uint8Array): readonly string[] => Buffer.from(bytes).toString('utf8').split('\0');
