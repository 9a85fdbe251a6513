import { registryChain } from '../../contracts/chains.js';
import type { Row, Transaction, Value } from '../../src/database/database.js';
import { anchorRows, anchorTxOver, checkpointRows, leafRows } from '../log/rows.js';

/** An identity as it was bound, and whether its key was proved. */
interface IdentityFacts extends Row {
  agent_id: string;
  public_key: string;
  vendor: string | null;
  agent_name: string | null;
  is_verified: boolean;
}

export interface IdentityRow extends IdentityFacts {
  receipt_id: string;
  receipt_hash: string;
  issued_at: string;
  verified_hash: string | null;
  verified_at: string | null;
  /** Of the first checkpoint that covers the issuance; null before there is one. */
  checkpoint_size: number | null;
  /** The best state of all checkpoints that cover it. */
  anchor_state: 'pending' | 'submitted' | 'attested' | 'confirmed';
  /** The first anchor on Ethereum of a checkpoint that covers it; see `readAnchorTx`. */
  anchor_tx: string | null;
}

const facts = 'i.agent_id, i.public_key, i.vendor, i.agent_name, i.verified_at is not null as is_verified';

/** SQL of whether a checkpoint over a leaf is in a state, which takes one look-up in the index of states and sizes. */
const isIn = (state: string) =>
  `when exists (select 1 from ${anchorRows} a where a.type = 'opentimestamps' and a.state = '${state}' and a.size > l.index) then '${state}'`;

/** The leaf is that of the first head of the registry which covers the issuance. */
const select = `select ${facts}, i.receipt_id, i.receipt_hash, i.issued_at, i.verified_hash, i.verified_at,
         (select min(c.size) from ${checkpointRows} c where c.size > l.index) as checkpoint_size,
         case ${isIn('confirmed')} ${isIn('attested')} ${isIn('submitted')} else 'pending' end as anchor_state,
         ${anchorTxOver('l.index')} as anchor_tx
  from identities i left join lateral (select f.index from ${leafRows} f
     where f.workspace_id = '${registryChain}' and f.size >= i.seq order by f.size limit 1) l on true`;

export async function identityById(tx: Transaction, agentId: string): Promise<IdentityRow | undefined> {
  const [row] = await tx.query<IdentityRow>(`${select} where i.agent_id = $1`, [agentId]);
  return row;
}

/** Identities, newest first, without the newest `skipped` ones. */
export function identitiesFrom(tx: Transaction, skipped: number, limit: number): Promise<IdentityRow[]> {
  const params: Value[] = [skipped, limit];
  return tx.query<IdentityRow>(
    `${select} where i.number <= (select coalesce(max(number), 0) from identities) - $1 order by i.number desc limit $2`,
    params,
  );
}

/** The facts that a command needs about these identities. */
export function identitiesNamed(tx: Transaction, agentIds: readonly string[]): Promise<IdentityFacts[]> {
  return tx.query<IdentityFacts>(`select ${facts} from identities i where i.agent_id = any($1::text[])`, [agentIds]);
}

/** An identity as public figures show it. */
export interface ShownIdentity extends Row {
  agent_id: string;
  agent_name: string | null;
  /** Whether it was verified at the moment in question or before. */
  is_verified: boolean;
}

/** These identities as they were at a moment. */
export function identitiesAt(tx: Transaction, agentIds: readonly string[], ms: number): Promise<ShownIdentity[]> {
  return tx.query<ShownIdentity>(
    `select agent_id, agent_name, coalesce(verified_at <= $2, false) as is_verified from identities
      where agent_id = any($1::text[])`,
    [agentIds, new Date(ms).toISOString()],
  );
}

/** The identities that were verified after a moment, and at a later one or before. */
export function verifiedBetween(tx: Transaction, afterMs: number, throughMs: number): Promise<ShownIdentity[]> {
  return tx.query<ShownIdentity>(
    `select agent_id, agent_name, true as is_verified from identities where verified_at > $1 and verified_at <= $2`,
    [new Date(afterMs).toISOString(), new Date(throughMs).toISOString()],
  );
}

/** Rows that one use removes at most: each adds one, so the table does not grow when many expire at once. */
const tidied = 100;

interface ChallengeUse {
  readonly challenge: string;
  /** Names the request that uses it. */
  readonly request: string;
  /** When the use may be forgotten: after the challenge has expired by every clock. */
  readonly forgetAt: Date;
  readonly now: Date;
}

/**
 * Uses up a challenge, and removes some that have expired.
 * @returns false when another request has used it. The same request may use it again.
 */
export async function useChallenge(
  tx: Transaction,
  { challenge, request, forgetAt, now }: ChallengeUse,
): Promise<boolean> {
  await tx.query(
    `delete from used_challenges where challenge in
       (select challenge from used_challenges where forget_at < $1 order by forget_at limit ${tidied} for update skip locked)`,
    [now.toISOString()],
  );
  await tx.query('insert into used_challenges values ($1, $2, $3) on conflict do nothing', [
    challenge,
    request,
    forgetAt.toISOString(),
  ]);
  const rows = await tx.query('select 1 from used_challenges where challenge = $1 and request = $2', [
    challenge,
    request,
  ]);
  return rows.length > 0;
}
