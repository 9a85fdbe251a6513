import type { Transaction } from '../../src/database/database.js';

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
