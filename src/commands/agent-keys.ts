import type { Draft } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import { receiptId, type World } from '../base/world.js';
import type { Caller, MemoryScope } from '../domain/caller.js';
import type { Command } from './command.js';
import { boundTo } from './keys.js';
import { entries, recording } from './record.js';
import type { AgentState, Agents } from './state/agents.js';
import type { AgentKeyState } from './state/keys.js';
import type { WorkspaceState } from './state/state.js';

export interface NewAgentKey {
  readonly name: string;
  /** At least one: a key without scopes could do nothing. */
  readonly scopes: readonly MemoryScope[];
  /** Ids or names; the default namespace when undefined. */
  readonly namespaces: readonly string[] | undefined;
}

interface AgentKeyCreated {
  readonly key_id: string;
  readonly agent_id: string;
  readonly namespace_ids: readonly string[];
  readonly created_at: string;
  readonly receipt_id: string;
}

/**
 * Makes a key with which the agent of a link calls over MCP. Only the hash of its secret is stored, in the vault.
 * @throws Refusal agent_not_found, and as `boundTo`
 */
export function createAgentKey(
  world: World,
  caller: Caller,
  linkId: string,
  { name, scopes, namespaces }: NewAgentKey,
  secretHash: string,
): Command<AgentKeyCreated> {
  const key_id = world.id();
  const record = recording(world);
  const { receipt: receipt_id } = record;
  return {
    actor: caller.actor,
    reads: { agents: [linkId], namespaces: namespaces ?? [] },
    decide(state, recordedAt) {
      const { agentId: agent_id } = agentOf(state.agents, linkId);
      const namespace_ids = boundTo(state, namespaces);
      const secret_commitment = record.commit(secretHash);
      const body = { key_id, link_id: linkId, agent_id, name, scopes, namespace_ids, secret_commitment };
      return record.entry(
        { kind: 'agent_key.created', body },
        { key_id, agent_id, namespace_ids, created_at: recordedAt, receipt_id },
        { content: secretHash },
      );
    },
  };
}

/**
 * Binds a key of an agent to these namespaces and to no others; an empty list denies it everything.
 * @returns their ids. @throws Refusal agent_not_found, key_not_found, and as `boundTo`
 */
export function bindAgentKey(
  world: World,
  caller: Caller,
  linkId: string,
  keyId: string,
  namespaces: readonly string[],
): Command<readonly string[]> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { agents: [linkId], agentKeys: [keyId], namespaces },
    decide(state) {
      agentKeyOf(state, linkId, keyId);
      const namespace_ids = boundTo(state, namespaces);
      return record.entry({ kind: 'agent_key.bound', body: { key_id: keyId, namespace_ids } }, namespace_ids);
    },
  };
}

interface KeyRevoked {
  readonly key_id: string;
  readonly revoked: true;
  readonly receipt_id: string;
}

/** Ends a key of an agent permanently and destroys the hash of its secret. @throws Refusal agent_not_found, key_not_found */
export function revokeAgentKey(world: World, caller: Caller, linkId: string, keyId: string): Command<KeyRevoked> {
  const receipt = receiptId(world);
  return {
    actor: caller.actor,
    reads: { agents: [linkId], agentKeys: [keyId] },
    decide(state) {
      const key = agentKeyOf(state, linkId, keyId);
      return entries([agentKeyRevoked(receipt, key)], { key_id: keyId, revoked: true, receipt_id: receipt });
    },
  };
}

export function agentKeyRevoked(receipt: string, { id, receiptId: created_receipt_id }: AgentKeyState): Draft {
  return { kind: 'agent_key.revoked', receipt_id: receipt, body: { key_id: id, created_receipt_id } };
}

/** The agent of a link. @throws Refusal agent_not_found */
export function agentOf(agents: Agents, linkId: string): AgentState {
  const agent = [...agents.values()].find(({ id }) => id === linkId);
  if (!agent) throw new Refusal('agent_not_found');
  return agent;
}

/** @throws Refusal agent_not_found, key_not_found */
function agentKeyOf({ agents, agentKeys }: WorkspaceState, linkId: string, keyId: string): AgentKeyState {
  agentOf(agents, linkId);
  const key = agentKeys.get(keyId);
  if (key?.linkId !== linkId) throw new Refusal('key_not_found', 'This agent has no key with that id.');
  return key;
}
