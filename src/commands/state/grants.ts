import { grantsNamed } from '../../../projections/grants/queries.js';
import { distinct, type Slice, stepwise, without, withoutNamespace } from './slice.js';

interface GrantState {
  readonly id: string;
  /** The membership of the person who gave the grant. */
  readonly memberId: string;
  readonly clientId: string;
  readonly agentId: string | null;
  readonly namespaceIds: readonly string[];
  readonly expiresAt: string;
}

/** By id. */
export type Grants = ReadonlyMap<string, GrantState>;

/** The grants with these ids that were not revoked, and whose person, password and agent are those of then. */
export const grants: Slice<readonly string[], Grants> = {
  empty: new Map(),
  async load({ tx, workspaceId }, reads) {
    const rows = await grantsNamed(tx, workspaceId, distinct(reads));
    return new Map(
      rows.map(({ id, member_id: memberId, client_id: clientId, ...row }) => [
        id,
        { id, memberId, clientId, agentId: row.agent_id, namespaceIds: row.namespace_ids, expiresAt: row.expires_at },
      ]),
    );
  },
  evolve: stepwise({
    'grant.created': (before, { entry }) => {
      const { grant_id: id, member_id: memberId, client_id: clientId, agent_id: agentId } = entry.body;
      const { namespace_ids: namespaceIds, expires_at: expiresAt } = entry.body;
      const isReplaced = (one: GrantState) =>
        one.memberId === memberId && one.clientId === clientId && one.agentId === agentId;
      const others = new Map(withoutThose(before, isReplaced));
      return others.set(id, { id, memberId, clientId, agentId, namespaceIds, expiresAt });
    },
    'grant.revoked': (before, { entry }) => without(before, entry.body.grant_id),
    'member.password_changed': (before, { entry }) =>
      withoutThose(before, (one) => one.memberId === entry.body.member_id),
    'member.removed': (before, { entry }) => withoutThose(before, (one) => one.memberId === entry.body.member_id),
    'agent.unlinked': (before, { entry }) => withoutThose(before, (one) => one.agentId === entry.body.agent_id),
    'namespace.deleted': (before, { entry }) => withoutNamespace(before, entry.body.namespace_id),
  }),
};

function withoutThose(all: Grants, hasEnded: (grant: GrantState) => boolean): Grants {
  return new Map([...all].filter(([, grant]) => !hasEnded(grant)));
}
