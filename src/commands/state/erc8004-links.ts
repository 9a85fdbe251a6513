import { erc8004LinksNamed } from '../../../projections/agents/erc8004.js';
import { emissionName, recordedEmissions } from '../../../projections/feedback/queries.js';
import { distinct, type Slice, stepwise, without } from './slice.js';

/** An agent in a registry of ERC-8004, and how its consent to a link was shown. */
export interface Erc8004Consent {
  readonly chainId: number;
  /** The identity registry, as `0x` and 40 lowercase hex digits. */
  readonly registry: string;
  /** The number of the agent there, in decimal digits. */
  readonly agentId: string;
  readonly proof: 'owner' | 'wallet' | 'registration';
  /** The account that signed; null for a registration file. */
  readonly account: string | null;
}

export interface Erc8004LinkState extends Erc8004Consent {
  /** Of the agent's link to the workspace. */
  readonly linkId: string;
  readonly agnId: string;
  /** Of the entry that has made the link. */
  readonly receiptId: string;
}

/** By the link of the agent to the workspace. */
export type Erc8004Links = ReadonlyMap<string, Erc8004LinkState>;

/** The links in force of agents with these links to the workspace, and those to agents with these numbers. */
export const erc8004Links: Slice<readonly string[], Erc8004Links> = {
  empty: new Map(),
  async load({ tx, workspaceId }, reads) {
    const rows = await erc8004LinksNamed(tx, workspaceId, distinct(reads));
    return new Map(
      rows.map((row) => [
        row.link_id,
        {
          linkId: row.link_id,
          agnId: row.agn_id,
          chainId: row.chain_id,
          registry: row.registry,
          agentId: row.agent_id,
          proof: row.proof,
          account: row.account,
          receiptId: row.receipt_id,
        },
      ]),
    );
  },
  evolve: stepwise({
    'agent.erc8004_linked': (before, { entry }) => {
      const { link_id: linkId, agn_id: agnId, chain_id: chainId, agent_id: agentId, ...rest } = entry.body;
      return new Map(before).set(linkId, { ...rest, linkId, agnId, chainId, agentId, receiptId: entry.receipt_id });
    },
    'agent.erc8004_unlinked': (before, { entry }) => without(before, entry.body.link_id),
  }),
};

/** The feedback of this workspace that is recorded, by agent and epoch; see `emissionName`. */
export const emissions: Slice<readonly string[], ReadonlySet<string>> = {
  empty: new Set(),
  load: async ({ tx, workspaceId }, reads) => new Set(await recordedEmissions(tx, workspaceId, distinct(reads))),
  evolve: stepwise({
    'erc8004.emitted': (before, { entry }) => new Set(before).add(emissionName(entry.body.agn_id, entry.body.epoch)),
  }),
};
