import { agentsNamed } from '../../../projections/agents/queries.js';
import { distinct, type Slice, stepwise } from './slice.js';

/** An agent that is linked to the workspace. */
export interface AgentState {
  /** Of the link. */
  readonly id: string;
  readonly agentId: string;
  /** Of the entry that linked the agent. */
  readonly receiptId: string;
}

/** By identity. */
export type Agents = ReadonlyMap<string, AgentState>;

/** The linked agents with these identities, or with these ids of their links. */
export const agents: Slice<readonly string[], Agents> = {
  empty: new Map(),
  async load({ tx, workspaceId }, reads) {
    const rows = await agentsNamed(tx, workspaceId, distinct(reads));
    return new Map(
      rows.map(({ id, agent_id, receipt_id }) => [agent_id, { id, agentId: agent_id, receiptId: receipt_id }]),
    );
  },
  evolve: stepwise((before, { entry }) => {
    switch (entry.kind) {
      case 'agent.linked': {
        const { link_id: id, agent_id: agentId } = entry.body;
        return new Map(before).set(agentId, { id, agentId, receiptId: entry.receipt_id });
      }
      case 'agent.unlinked': {
        const left = new Map(before);
        left.delete(entry.body.agent_id);
        return left;
      }
      default:
        return before;
    }
  }),
};
