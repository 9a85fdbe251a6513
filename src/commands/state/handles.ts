import type { RecordedOf } from '../../../contracts/entries/recorded.js';
import { provedHandles } from '../../../projections/agents/queries.js';
import { distinct, type Slice, stepwise } from './slice.js';

/** The identity to which a handle is linked with proof. */
export interface HandleState {
  readonly linkId: string;
  readonly agentId: string;
  /** Of the identity. */
  readonly vendor: string | null;
}

/** By handle. */
export type Handles = ReadonlyMap<string, HandleState>;

/** Those of these handles that are linked to an identity with proof. */
export const handles: Slice<readonly string[], Handles> = {
  empty: new Map(),
  async load({ tx, workspaceId }, reads) {
    const rows = await provedHandles(tx, workspaceId, distinct(reads));
    return new Map(rows.map(({ id, agent_id, handle, vendor }) => [handle, { linkId: id, agentId: agent_id, vendor }]));
  },
  evolve: stepwise({
    'agent.linked': withLink,
    'agent.unlinked': (before, { entry }) => {
      const { link_id } = entry.body;
      return new Map([...before].filter(([, { linkId }]) => linkId !== link_id));
    },
  }),
};

function withLink(before: Handles, { entry: { body } }: RecordedOf<'agent.linked'>): Handles {
  const { link_id: linkId, agent_id: agentId, handle, proof, vendor = null } = body;
  if (handle === undefined || proof === undefined) return before;
  return new Map(before).set(handle, { linkId, agentId, vendor });
}
