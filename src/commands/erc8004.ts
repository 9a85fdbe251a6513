import type { Bodies, Draft } from '../../contracts/entries/entry.js';
import type { Erc8004Unlinked } from '../../contracts/erc8004.js';
import { Refusal } from '../../contracts/errors.js';
import { emissionName } from '../../projections/feedback/queries.js';
import { receiptId, type World } from '../base/world.js';
import type { Caller } from '../domain/caller.js';
import { agentOf } from './agent-keys.js';
import type { Command } from './command.js';
import { system } from './open-workspace.js';
import { entries, nothing, recording } from './record.js';
import type { AgentState } from './state/agents.js';
import type { Erc8004Consent, Erc8004LinkState, Erc8004Links } from './state/erc8004-links.js';

/**
 * Links an agent to an agent of ERC-8004, whose consent was checked before. Another one replaces it, and a repetition changes
 * nothing. Within a workspace an agent of ERC-8004 has one link. Links of other workspaces are not looked at: none of them
 * can keep the owner of that agent from linking it.
 * @throws Refusal agent_not_found, invalid_proof, agent_exists
 */
export function linkErc8004(
  world: World,
  caller: Caller,
  linkId: string,
  consent: Erc8004Consent,
): Command<Erc8004LinkState> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { agents: [linkId], erc8004Links: [linkId, consent.agentId] },
    decide({ agents, erc8004Links: links }) {
      const { agentId: agnId } = provedAgent(agentOf(agents, linkId));
      const before = links.get(linkId);
      if (before && isSame(before, consent)) return nothing(before);
      requireFree(links, linkId, consent);
      const body = {
        link_id: linkId,
        agn_id: agnId,
        chain_id: consent.chainId,
        registry: consent.registry,
        agent_id: consent.agentId,
        proof: consent.proof,
        account: consent.account,
      };
      return record.entry(
        { kind: 'agent.erc8004_linked', body },
        { ...consent, linkId, agnId, receiptId: record.receipt },
      );
    },
  };
}

/** @throws Refusal invalid_proof when the holder of the identity's key has not agreed to the link */
export function provedAgent<A extends Pick<AgentState, 'proved'>>(agent: A): A {
  if (agent.proved) return agent;
  throw new Refusal(
    'invalid_proof',
    'This agent is linked without a proof of its identity’s key: unlink it, and link it again with a proof.',
  );
}

const isSameAgent = (one: Erc8004Consent, other: Erc8004Consent): boolean =>
  one.chainId === other.chainId && one.registry === other.registry && one.agentId === other.agentId;

const isSame = (one: Erc8004Consent, other: Erc8004Consent): boolean =>
  isSameAgent(one, other) && one.proof === other.proof && one.account === other.account;

function requireFree(links: Erc8004Links, linkId: string, consent: Erc8004Consent): void {
  const other = [...links.values()].find((one) => one.linkId !== linkId && isSameAgent(one, consent));
  if (other === undefined) return;
  throw new Refusal(
    'agent_exists',
    `Agent ${consent.agentId} of ERC-8004 is linked to ${other.agnId} in this workspace: unlink it there first.`,
  );
}

/** Ends the link of an agent to an agent of ERC-8004. @throws Refusal agent_not_found */
export function unlinkErc8004(world: World, caller: Caller, linkId: string): Command<Erc8004Unlinked> {
  const receipt = receiptId(world);
  return {
    actor: caller.actor,
    reads: { agents: [linkId], erc8004Links: [linkId] },
    decide({ agents, erc8004Links: links }) {
      agentOf(agents, linkId);
      const link = links.get(linkId);
      if (!link) throw new Refusal('agent_not_found', 'This agent is not linked to an agent of ERC-8004.');
      return entries([erc8004Unlinked(receipt, link)], { id: linkId, unlinked: true, receipt_id: receipt });
    },
  };
}

export const erc8004Unlinked = (receipt: string, { linkId, agnId }: Erc8004LinkState): Draft => ({
  kind: 'agent.erc8004_unlinked',
  receipt_id: receipt,
  body: { link_id: linkId, agn_id: agnId },
});

/** Records that receipts of a workspace are counted in feedback on the chain: once for each agent and epoch, however often it runs. */
export function recordEmission(world: World, emission: Bodies['erc8004.emitted']): Command<void> {
  const record = recording(world);
  const name = emissionName(emission.agn_id, emission.epoch);
  return {
    actor: system,
    reads: { emissions: [name] },
    decide: ({ emissions }) =>
      emissions.has(name) ? nothing(undefined) : record.entry({ kind: 'erc8004.emitted', body: emission }, undefined),
  };
}
