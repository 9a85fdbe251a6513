import type { Actor, Bodies } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { GrantRevoked, GrantScope } from '../../contracts/grants.js';
import { limits } from '../../contracts/limits.js';
import type { World } from '../base/world.js';
import type { Caller } from '../domain/caller.js';
import { storable } from '../domain/content.js';
import type { Command } from './command.js';
import { recording } from './record.js';
import type { WorkspaceState } from './state/state.js';

/** The access that a person allows a client at the consent page. */
export interface NewGrant {
  readonly grantId: string;
  readonly clientId: string;
  /** The name that the client gives itself; null when it gives none. */
  readonly clientName: string | null;
  /** The host, or the private scheme, that the client receives its codes at. */
  readonly redirectHost: string;
  /** The linked agent in whose name the client acts; null for none. */
  readonly agentId: string | null;
  readonly scopes: readonly GrantScope[];
  readonly namespaceIds: readonly string[];
}

interface GrantCreated {
  readonly grant_id: string;
  readonly receipt_id: string;
  readonly expires_at: string;
}

/**
 * Records what a person allows a client: never more than the person's own rights.
 * @throws Refusal session_expired, workspace_role_required, read_only, agent_not_linked, namespace_not_found, namespace_deleted,
 * invalid_namespace_ids, invalid_request
 */
export function createGrant(world: World, caller: Caller, grant: NewGrant): Command<GrantCreated> {
  const record = recording(world);
  const { receipt: receipt_id } = record;
  const { grantId: grant_id, clientId: client_id, clientName, redirectHost, agentId: agent_id, namespaceIds } = grant;
  const member_id = caller.actor.id ?? '';
  const scopes = [...new Set(grant.scopes)];
  const namespace_ids = [...new Set(namespaceIds)];
  return {
    actor: caller.actor,
    reads: {
      members: [member_id],
      agents: agent_id === null ? [] : [agent_id],
      namespaces: namespace_ids,
      grants: [grant_id],
    },
    decide(state, recordedAt) {
      requireFields(grant);
      if (state.grants.has(grant_id)) throw new Refusal('invalid_request', 'This request was answered before.');
      requireWithinRole(state, member_id, scopes);
      if (agent_id !== null && !state.agents.has(agent_id)) throw new Refusal('agent_not_linked');
      requireNamespaces(state, namespace_ids);
      const expires_at = new Date(Date.parse(recordedAt) + limits.grantMs).toISOString();
      const client_name = clientName === null ? null : shortened(clientName);
      const client = { client_id, client_name, redirect_host: shortened(redirectHost) };
      const body = { grant_id, member_id, ...client, agent_id, scopes, namespace_ids, expires_at };
      return record.entry({ kind: 'grant.created', body }, { grant_id, receipt_id, expires_at });
    },
  };
}

/** Checks texts that clients choose, which could otherwise stop the tables from taking the entry. @throws Refusal invalid_request */
function requireFields({ grantId, clientId, scopes }: NewGrant): void {
  if (!isGrantId(grantId)) throw new Refusal('invalid_request', 'The id of the grant cannot be stored.');
  if (!/^[\x21-\x7e]{1,2048}$/.test(clientId))
    throw new Refusal('invalid_request', 'The id of the client is not taken.');
  if (!scopes.includes('mcp:tools')) throw new Refusal('invalid_request', 'A grant needs the scope mcp:tools.');
}

/** Letters that ids of grants consist of. Other texts are not looked up. */
export const isGrantId = (id: string): boolean => /^[A-Za-z0-9_-]{1,128}$/.test(id);

const shortened = (text: string): string => [...storable(text)].slice(0, limits.clientNameCharacters).join('');

/** @throws Refusal session_expired, workspace_role_required, read_only */
function requireWithinRole({ members }: WorkspaceState, memberId: string, scopes: readonly GrantScope[]): void {
  const role = members.get(memberId)?.role;
  if (role === undefined) throw new Refusal('session_expired', 'You are not a member of this workspace any more.');
  if (role === 'none') throw new Refusal('workspace_role_required');
  if (role === 'reader' && scopes.includes('memory.write')) {
    throw new Refusal('read_only', 'Your role may read and not write, so you cannot allow a client to write.');
  }
}

/** @throws Refusal invalid_namespace_ids, namespace_not_found, namespace_deleted */
function requireNamespaces({ namespaces }: WorkspaceState, ids: readonly string[]): void {
  if (ids.length === 0 || ids.length > limits.namespacesPerKey) {
    throw new Refusal('invalid_namespace_ids', `Choose 1 to ${limits.namespacesPerKey} namespaces.`);
  }
  const known = new Map(namespaces.map((one) => [one.id, one]));
  for (const id of ids) {
    const found = known.get(id);
    if (!found) throw new Refusal('namespace_not_found');
    if (found.deleted) throw new Refusal('namespace_deleted');
  }
}

/**
 * Ends a grant. Owners and admins end any grant of the workspace, other people their own.
 * @param by the person who ends it, or the actor of the entry where the service ends it
 * @throws Refusal grant_not_found
 */
export function revokeGrant(
  world: World,
  by: Caller | Actor,
  grantId: string,
  reason: Bodies['grant.revoked']['reason'],
): Command<GrantRevoked> {
  const record = recording(world);
  const caller = 'actor' in by ? by.actor : null;
  return {
    actor: 'actor' in by ? by.actor : by,
    reads: { grants: [grantId], members: caller?.id ? [caller.id] : [] },
    decide({ grants, members }) {
      const grant = grants.get(grantId);
      if (!grant) throw new Refusal('grant_not_found');
      const role = members.get(caller?.id ?? '')?.role;
      const mayEnd = caller === null || grant.memberId === caller.id || role === 'owner' || role === 'admin';
      if (!mayEnd) throw new Refusal('grant_not_found');
      return record.entry(
        { kind: 'grant.revoked', body: { grant_id: grantId, reason } },
        { id: grantId, revoked: true, receipt_id: record.receipt },
      );
    },
  };
}
