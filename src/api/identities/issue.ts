import { registryChain } from '../../../contracts/chains.js';
import type { Binding } from '../../../contracts/entries/registry.js';
import { Refusal } from '../../../contracts/errors.js';
import { identityIn, identityIssued } from '../../../contracts/identities.js';
import { limits } from '../../../contracts/limits.js';
import { identitiesNamed } from '../../../projections/registry/queries.js';
import { issueIdentity } from '../../commands/issue-identity.js';
import { agentIdOf } from '../../domain/identity/binding.js';
import { agentProof } from '../../domain/identity/proof.js';
import { readBoundKey } from '../../domain/identity/public-key.js';
import { operation } from '../operation.js';
import type { ForAccess, ForReading } from '../services.js';
import { exampleKey, exampleRecord } from './examples.js';
import { recordOf } from './read.js';

const description =
  'The identifier is a function of the key, the vendor and the name, so the same binding always has the same identifier, in ' +
  'any form of the key. A repetition changes nothing. With a proof the status becomes verified: the signed bytes ' +
  'are `counterfoil/agent-proof/v1`, the identifier and the challenge, with a zero byte between each two. Private keys are ' +
  'refused, and should then be regarded as known to others.';

export const identityIssueOperation = operation({
  method: 'POST',
  path: '/v1/agent-id',
  summary: 'Issue the identity of a public key, or prove that its key is held',
  access: 'anybody',
  body: identityIn,
  bodyLimit: limits.identityBytes,
  answers: {
    201: identityIssued.describe('The identity was issued.'),
    200: identityIssued.describe('The identity was issued before.'),
  },
  refusals: [
    'invalid_json',
    'invalid_request',
    'invalid_public_key',
    'invalid_proof',
    'challenge_expired',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'issueIdentity',
    body: 'IdentityIn',
    description,
    request: { public_key: exampleKey, vendor: 'Acme', agent_name: 'Bot' },
    answers: {
      201: { body: answered(true, { ...exampleRecord, status: 'issued', attestation_chain: [] }) },
      200: { body: answered(false, exampleRecord) },
    },
  },
  async handle({ client, body: { public_key, vendor, agent_name, proof } }, { reading, writing, access, service }) {
    const { run, world } = writing;
    const { proofs } = access;
    const key = readBoundKey(public_key);
    if (key === null) throw new Refusal('invalid_public_key');
    const binding: Binding = { agent_name, public_key: key, vendor };
    const agentId = agentIdOf(binding);
    if (proof) proofs.check(key, agentProof(agentId, proof.challenge), proof);
    const giveBack = await countIfNew(reading, access, agentId, client.address);
    if (proof) await proofs.use(proof, null);
    const { created } = await run(registryChain, issueIdentity(world, binding, proof ?? null));
    if (!created) await giveBack();
    const record = await reading.read((tx) => recordOf(tx, agentId, service.origin));
    const body = answered(created, record);
    return created ? { status: 201, body } : { status: 200, body };
  },
});

function answered(created: boolean, record: typeof exampleRecord) {
  return {
    ok: true,
    agn_id: record.agn_id,
    idempotent: true,
    deterministic: true,
    persisted: true,
    created,
    record,
  } as const;
}

/**
 * Counts a new identity of a client address. @returns a function that takes this back, for a request that has found out
 * that another one was faster
 * @throws Refusal rate_limited
 */
async function countIfNew({ read }: ForReading, { rateLimits }: ForAccess, agentId: string, address: string) {
  const known = await read((tx) => identitiesNamed(tx, [agentId]));
  if (known.length > 0) return async () => undefined;
  await rateLimits.address(address, 'identities');
  return () => rateLimits.giveBack(address, 'identities');
}
