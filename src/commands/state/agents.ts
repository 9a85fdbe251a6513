import type { RecordedOf } from '../../../contracts/entries/recorded.js';
import { agentsNamed, provedHandles } from '../../../projections/agents/queries.js';
import { distinct, type Slice, stepwise, without } from './slice.js';

/** An agent that is linked to the workspace. */
export interface AgentState {
  /** Of the link. */
  readonly id: string;
  readonly agentId: string;
  readonly handle: string | null;
  /** Whether the holder of the identity's key has agreed to the link. */
  readonly proved: boolean;
  /** Of the entry that linked the agent. */
  readonly receiptId: string;
}

/** By identity. */
export type Agents = ReadonlyMap<string, AgentState>;

/** The linked agents with these identities, with these handles, or with these ids of their links. */
export const agents: Slice<readonly string[], Agents> = {
  empty: new Map(),
  async load({ tx, workspaceId }, reads) {
    const rows = await agentsNamed(tx, workspaceId, distinct(reads));
    return new Map(
      rows.map(({ id, agent_id, handle, proved, receipt_id }) => [
        agent_id,
        { id, agentId: agent_id, handle, proved, receiptId: receipt_id },
      ]),
    );
  },
  evolve: stepwise({
    'agent.linked': (before, { entry }) => {
      const { link_id: id, agent_id: agentId, handle = null, proof } = entry.body;
      const { receipt_id: receiptId } = entry;
      return new Map(before).set(agentId, { id, agentId, handle, proved: proof !== undefined, receiptId });
    },
    'agent.unlinked': (before, { entry }) => without(before, entry.body.agent_id),
  }),
};

/** The identity to which a handle is linked with proof. */
interface HandleState {
  readonly linkId: string;
  readonly agentId: string;
  /** Of the identity. */
  readonly vendor: string | null;
}

/** By handle. */
type Handles = ReadonlyMap<string, HandleState>;

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
