import type { Row, Transaction } from '../../src/database/database.js';

/** How the consent of an agent of ERC-8004 was shown. */
type Consent = 'owner' | 'wallet' | 'registration';

/** A link of an agent to an agent of ERC-8004. */
export interface Erc8004Link extends Row {
  workspace_id: string;
  /** Of the agent's link to the workspace. */
  link_id: string;
  agn_id: string;
  chain_id: number;
  /** The identity registry, as `0x` and 40 lowercase hex digits. */
  registry: string;
  /** The number of the agent there, in decimal digits. */
  agent_id: string;
  proof: Consent;
  /** The account that signed, as `0x` and 40 lowercase hex digits; null for a registration file. */
  account: string | null;
  receipt_id: string;
  linked_at: string;
  /** The position of the entry in the chain of the workspace. */
  linked_seq: number;
  /** The position of the entry that has ended the link; null while it is in force. */
  unlinked_seq: number | null;
}

const columns = `workspace_id::text, link_id::text, agn_id, chain_id, registry, agent_id, proof, account, receipt_id, linked_at,
  linked_seq, unlinked_seq`;

/** The links of a workspace in force: those of these links of agents, and those to agents with these numbers. */
export function erc8004LinksNamed(tx: Transaction, workspaceId: string, names: readonly string[]) {
  return tx.query<Erc8004Link>(
    `select ${columns} from agent_registrations
      where workspace_id = $1 and unlinked_seq is null and (link_id::text = any($2::text[]) or agent_id = any($2::text[]))`,
    [workspaceId, names],
  );
}

/** The identities that have or had a link, in the order of their identifiers: those after `after`. */
export async function identitiesOnErc8004(tx: Transaction, after: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ agn_id: string }>(
    'select distinct agn_id from agent_registrations where agn_id > $1 order by agn_id limit $2',
    [after, limit],
  );
  return rows.map(({ agn_id }) => agn_id);
}

/**
 * For each of these identities the oldest link in force of any workspace. It is the one that is shown in
 * public, so that no later link of another workspace can replace it.
 */
export async function publicErc8004Links(
  tx: Transaction,
  agnIds: readonly string[],
): Promise<ReadonlyMap<string, Erc8004Link>> {
  const rows = await tx.query<Erc8004Link>(
    `select distinct on (agn_id) ${columns} from agent_registrations
      where unlinked_seq is null and agn_id = any($1::text[]) order by agn_id, linked_at, workspace_id, linked_seq`,
    [agnIds],
  );
  return new Map(rows.map((row) => [row.agn_id, row]));
}
