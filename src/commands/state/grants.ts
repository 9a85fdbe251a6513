import { grantsNamed } from '../../../projections/grants/queries.js';
import { distinct, type Slice, stepwise, without, withoutNamespace } from './slice.js';

interface GrantState {
  readonly id: string;
  /** The membership of the person who gave the grant. */
  readonly memberId: string;
  readonly agentId: string | null;
  readonly namespaceIds: readonly string[];
  readonly expiresAt: string;
}

/** By id. */
export type Grants = ReadonlyMap<string, GrantState>;

/** The grants with these ids that were not revoked, and whose person and agent are still there. */
export const grants: Slice<readonly string[], Grants> = {
  empty: new Map(),
  async load({ tx, workspaceId }, reads) {
    const rows = await grantsNamed(tx, workspaceId, distinct(reads));
    return new Map(
      rows.map(({ id, member_id, agent_id, namespace_ids, expires_at }) => [
        id,
        { id, memberId: member_id, agentId: agent_id, namespaceIds: namespace_ids, expiresAt: expires_at },
      ]),
    );
  },
  evolve: stepwise({
    'grant.created': (before, { entry }) => {
      const { grant_id: id, member_id: memberId, agent_id: agentId } = entry.body;
      const { namespace_ids: namespaceIds, expires_at: expiresAt } = entry.body;
      return new Map(before).set(id, { id, memberId, agentId, namespaceIds, expiresAt });
    },
    'grant.revoked': (before, { entry }) => without(before, entry.body.grant_id),
    'member.removed': (before, { entry }) => withoutThose(before, (one) => one.memberId === entry.body.member_id),
    'agent.unlinked': (before, { entry }) => withoutThose(before, (one) => one.agentId === entry.body.agent_id),
    'namespace.deleted': (before, { entry }) => withoutNamespace(before, entry.body.namespace_id),
  }),
};

function withoutThose(all: Grants, hasEnded: (grant: GrantState) => boolean): Grants {
  return new Map([...all].filter(([, grant]) => !hasEnded(grant)));
}
