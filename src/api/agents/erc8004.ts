import { erc8004In, erc8004Link, erc8004Unlinked } from '../../../contracts/erc8004.js';
import { Refusal } from '../../../contracts/errors.js';
import { erc8004LinksNamed } from '../../../projections/agents/erc8004.js';
import { agentsNamed } from '../../../projections/agents/queries.js';
import { isUuid } from '../../base/world.js';
import { linkErc8004, provedAgent, unlinkErc8004 } from '../../commands/erc8004.js';
import type { Erc8004LinkState } from '../../commands/state/erc8004-links.js';
import { exampleAgentId } from '../identities/examples.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import type { ForReading } from '../services.js';

const path = '/v1/agents/:link_id/erc8004';

const exampleLink = {
  id: samples.other,
  agent_id: exampleAgentId,
  erc8004: { chain_id: 1, registry: '0x8004a169fb4a3325136eb29fa0ceb6d2e539a432', agent_id: '22' },
  proof: 'owner',
  account: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  receipt_id: samples.receipt,
} as const;

export const erc8004GetOperation = operation({
  method: 'GET',
  path,
  summary: 'The agent of ERC-8004 that an agent is linked to',
  access: 'manage the workspace',
  answers: { 200: erc8004Link },
  refusals: ['agent_not_found'],
  documentation: {
    id: 'getErc8004Link',
    description: 'An agent without such a link is refused with agent_not_found too.',
    answers: { 200: { description: 'The link.', body: exampleLink } },
  },
  async handle({ caller: { workspaceId }, params }, { reading: { read } }) {
    const { id } = await linkedAgent(read, workspaceId, params.link_id);
    const rows = await read((tx) => erc8004LinksNamed(tx, workspaceId, [id]));
    const found = rows.find(({ link_id }) => link_id === id);
    if (!found) throw new Refusal('agent_not_found', 'This agent is not linked to an agent of ERC-8004.');
    const { chain_id, registry, agent_id, proof, account, receipt_id } = found;
    return {
      status: 200,
      body: { id, agent_id: found.agn_id, erc8004: { chain_id, registry, agent_id }, proof, account, receipt_id },
    };
  },
});

export const erc8004LinkOperation = operation({
  method: 'PUT',
  path,
  summary: 'Link an agent to an agent of ERC-8004, about which feedback is given from then on',
  access: 'manage the workspace',
  counted: 'write',
  body: erc8004In,
  answers: { 200: erc8004Link },
  refusals: [
    'invalid_json',
    'invalid_request',
    'invalid_proof',
    'url_not_allowed',
    'fetch_failed',
    'agent_not_found',
    'feature_not_enabled',
    'agent_exists',
    'not_ready',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'linkErc8004',
    body: 'Erc8004In',
    description:
      'The agent must be linked to the workspace with a proof. The owner or the wallet of the agent of ERC-8004 signs, under EIP-191, the text ' +
      '`counterfoil erc8004 link <agn_…> eip155:<chain id>:<registry in lowercase>:<agent_id>`; or its registration file names the identity, as ' +
      'the member `counterfoil` or as the endpoint of a service with the name `counterfoil`. A repetition changes nothing, and another agent ' +
      'replaces the one before. Within a workspace an agent of ERC-8004 has one link; links of other workspaces do not matter. ' +
      'Without the settings of ERC-8004 the code is feature_not_enabled.',
    request: {
      agent_id: '22',
      proof: {
        signature:
          '0x0447b5fb73f1f9a8b57f13dc3791172bf2c2c876561ca75050c2435e4941c2da7c6ec623090784284ed3ee1122b160dc4b81d337ebf60f727878dd72a81213ba1b',
      },
    },
    answers: { 200: { description: 'The link.', body: exampleLink } },
  },
  async handle(
    { caller, params, body: { agent_id: agentId, proof } },
    { reading: { read }, writing: { run, world }, access: { erc8004 } },
  ) {
    if (erc8004 === null) {
      throw new Refusal(
        'feature_not_enabled',
        'This service knows no registries of ERC-8004: its operator sets ERC8004_IDENTITY, ERC8004_REPUTATION and ERC8004_KEY_FILE.',
      );
    }
    const { workspaceId } = caller;
    const agent = provedAgent(await linkedAgent(read, workspaceId, params.link_id));
    const consent = await erc8004.consent(agent.agent_id, agentId, proof);
    return { status: 200, body: shown(await run(workspaceId, linkErc8004(world, caller, agent.id, consent))) };
  },
});

export const erc8004UnlinkOperation = operation({
  method: 'DELETE',
  path,
  summary: 'End the link of an agent to an agent of ERC-8004',
  access: 'manage the workspace',
  counted: 'write',
  answers: { 200: erc8004Unlinked },
  refusals: ['agent_not_found', 'receipt_unavailable'],
  documentation: {
    id: 'unlinkErc8004',
    description: 'Feedback that is on the chain stays there, and its files stay where they are.',
    answers: {
      200: {
        description: 'The link has ended.',
        body: { id: samples.other, unlinked: true, receipt_id: samples.receipt },
      },
    },
  },
  async handle({ caller, params: { link_id: id = '' } }, { writing: { run, world } }) {
    if (!isUuid(id)) throw new Refusal('agent_not_found');
    return { status: 200, body: await run(caller.workspaceId, unlinkErc8004(world, caller, id.toLowerCase())) };
  },
});

/** @throws Refusal agent_not_found */
async function linkedAgent(read: ForReading['read'], workspaceId: string, linkId = '') {
  const id = linkId.toLowerCase();
  const rows = isUuid(id) ? await read((tx) => agentsNamed(tx, workspaceId, [id])) : [];
  const agent = rows.find((row) => row.id === id);
  if (!agent) throw new Refusal('agent_not_found');
  return agent;
}

const shown = ({ linkId, agnId, chainId, registry, agentId, proof, account, receiptId }: Erc8004LinkState) => ({
  id: linkId,
  agent_id: agnId,
  erc8004: { chain_id: chainId, registry, agent_id: agentId },
  proof,
  account,
  receipt_id: receiptId,
});
