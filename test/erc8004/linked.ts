import { agentIdOf } from '../../src/domain/identity/binding.js';
import { linkProof } from '../../src/domain/identity/proof.js';
import { newHolder } from '../domain/identity/holder.js';
import { owner, type usePeople } from '../http/people.js';
import { signedIn } from '../http/person.js';

/** Links a handle to a new identity with proof, so that public receipts of the handle count for the identity. */
export async function linkedIdentity(people: Pick<ReturnType<typeof usePeople>, 'service' | 'first'>, handle: string) {
  const holder = newHolder('Ed25519');
  const agnId = agentIdOf({ agent_name: null, public_key: holder.bound, vendor: null });
  await people.service().call('POST', '/v1/agent-id', { public_key: holder.publicKey });
  const { challenge } = (await people.service().call('GET', '/v1/agent-id/challenge')).json;
  const signature = holder.sign(linkProof(agnId, challenge, people.first().workspaceId, handle));
  const person = await signedIn(people.service(), owner);
  const { json } = await person.call('POST', '/v1/agents', {
    agent_id: agnId,
    handle,
    proof: { challenge, signature },
  });
  return { agnId, linkId: String(json.id) };
}
