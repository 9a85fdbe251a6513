import { agentIn, agentLinked, agentList, agentListQuery, agentUnlinked } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import type { InputOf } from '../../../contracts/input.js';
import { agentsOfWorkspace } from '../../../projections/agents/queries.js';
import { identitiesNamed } from '../../../projections/registry/queries.js';
import { isUuid } from '../../base/world.js';
import { type AgentToLink, linkAgent, unlinkAgent } from '../../commands/agents.js';
import { answeredBefore, type RequestKey } from '../../commands/once.js';
import { isAdmin } from '../../domain/caller.js';
import { linkProof } from '../../domain/identity/proof.js';
import { keyHash, newAgentToken } from '../../domain/secrets.js';
import { exampleChallenge, exampleSignature } from '../identities/examples.js';
import { lastOf } from '../input.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import type { Services } from '../services.js';
import { shownOnce } from '../shown-once.js';

export const exampleAgentId = 'agn_mfrggzdfmztwq2lknnwg23tpobyxe43u';

const exampleLink = {
  id: samples.other,
  agent_id: exampleAgentId,
  handle: '@archivist',
  name: 'Archivist',
  proved: true,
  created_at: samples.at,
};

export const agentListOperation = operation({
  method: 'GET',
  path: '/v1/agents',
  summary: 'The agents that are linked to the workspace, newest link first',
  access: 'see agents',
  query: agentListQuery,
  answers: { 200: agentList },
  refusals: ['invalid_cursor', 'invalid_request'],
  documentation: {
    id: 'listAgents',
    description:
      'Everyone in the workspace sees the names, so that a request can be made in the name of an agent; owners and admins see the rest, too.',
    answers: {
      200: {
        description: 'A page of links.',
        body: { data: [{ ...exampleLink, keys: 1, last_used_at: samples.at }], next_cursor: null },
      },
    },
  },
  async handle({ caller, query: { limit, cursor } }, { reading: { read, cursors } }) {
    const { workspaceId } = caller;
    const before = cursor === undefined ? null : cursors.open('agents', [workspaceId], cursor);
    const rows = await read((tx) => agentsOfWorkspace(tx, workspaceId, before, limit + 1));
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(page) : undefined;
    const data = isAdmin(caller)
      ? page
      : page.map(({ id, agent_id, handle, name }) => ({ id, agent_id, handle, name }));
    return {
      status: 200,
      body: { data, next_cursor: last ? cursors.seal('agents', [workspaceId], last.id) : null },
    };
  },
});

export const agentLinkOperation = operation({
  method: 'POST',
  path: '/v1/agents',
  summary: 'Link an agent identity to the workspace; its token is shown once',
  access: 'manage the workspace',
  counted: 'write',
  body: agentIn,
  answers: { 201: agentLinked },
  refusals: [
    'invalid_json',
    'invalid_request',
    'invalid_name',
    'invalid_proof',
    'challenge_expired',
    'agent_exists',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'linkAgent',
    body: 'AgentIn',
    description:
      'From then on, a request that names the agent in x-service-agent is recorded as the agent’s. With a proof, public task receipts ' +
      'of the handle count as those of the identity: the signed bytes are `counterfoil/agent-link/v1`, the identifier, the challenge, ' +
      'the id of the workspace and the handle, with a zero byte between each two. An identity has one link in a workspace, and a ' +
      'handle belongs to one identity.',
    request: {
      agent_id: exampleAgentId,
      handle: '@archivist',
      name: 'Archivist',
      proof: { challenge: exampleChallenge, signature: exampleSignature },
    },
    answers: {
      201: {
        description: 'The link, with the token of the agent: it is shown once.',
        body: { ...exampleLink, receipt_id: samples.receipt, token: 'agt_7Qm2Zr9KxV4tB8nYw1Lc6Hd3Jf5Gp0SaUeRiTo2qWzX' },
      },
    },
  },
  async handle({ caller, body, once }, services) {
    const { run, world } = services.writing;
    const earlier = await services.reading.read((tx) => answeredBefore(tx, caller.workspaceId, once, world.now()));
    if (earlier) return earlier;
    const secret = newAgentToken();
    const agent = await agentToLink(services, caller.workspaceId, body, once);
    const command = linkAgent(world, caller, agent, keyHash(secret));
    const { workspaceId } = caller;
    return shownOnce(run, { workspaceId, request: once, secret }, command, (linked, token) => ({ ...linked, token }));
  },
});

/** Checks the proof, if there is one, and uses up its challenge. @throws Refusal invalid_request, invalid_proof, challenge_expired */
async function agentToLink(
  { reading: { read }, access: { proofs } }: Pick<Services, 'reading' | 'access'>,
  workspaceId: string,
  { agent_id, handle = null, name: given, proof = null }: InputOf<typeof agentIn>,
  once: RequestKey,
): Promise<AgentToLink> {
  const name = given ?? null;
  if (proof === null) return { agent_id, handle, name };
  if (handle === null) throw new Refusal('invalid_request', 'handle: a proof is about a handle, so one must be named.');
  const [identity] = await read((tx) => identitiesNamed(tx, [agent_id]));
  if (!identity) throw new Refusal('invalid_proof', 'This identity was not issued here: POST /v1/agent-id first.');
  const { challenge } = proof;
  proofs.check(identity.public_key, linkProof(agent_id, challenge, workspaceId, handle), proof);
  await proofs.use(proof, once);
  return { agent_id, handle, name, proved: { proof, vendor: identity.vendor } };
}

export const agentUnlinkOperation = operation({
  method: 'DELETE',
  path: '/v1/agents/:link_id',
  summary: 'Unlink an agent, and end its token, keys and webhooks',
  access: 'manage the workspace',
  counted: 'write',
  answers: { 200: agentUnlinked },
  refusals: ['agent_not_found', 'receipt_unavailable'],
  documentation: {
    id: 'unlinkAgent',
    description: 'The keys and the webhooks of the agent end with it, each with an entry.',
    answers: {
      200: {
        description: 'The agent was unlinked.',
        body: { id: samples.other, unlinked: true, receipt_id: samples.receipt },
      },
    },
  },
  async handle({ caller, params: { link_id: id = '' } }, { writing: { run, world } }) {
    if (!isUuid(id)) throw new Refusal('agent_not_found');
    return { status: 200, body: await run(caller.workspaceId, unlinkAgent(world, caller, id.toLowerCase())) };
  },
});
