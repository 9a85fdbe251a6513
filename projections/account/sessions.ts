import type { Transaction } from '../../src/adapters/database/database.js';

// Who is signed in: a row for each session. They are no history: a session that has ended leaves nothing.

export async function beginSession(
  tx: Transaction,
  session: { readonly id: string; readonly memberId: string; readonly expiresAt: Date; readonly now: Date },
): Promise<void> {
  const { id, memberId, expiresAt, now } = session;
  await tx.query('insert into sessions (id, member_id, expires_at, created_at) values ($1, $2, $3, $4)', [
    id,
    memberId,
    expiresAt.toISOString(),
    now.toISOString(),
  ]);
}

export async function dropExpiredSessions(tx: Transaction, now: Date): Promise<void> {
  await tx.query('delete from sessions where expires_at < $1', [now.toISOString()]);
}

export async function extendSession(tx: Transaction, id: string, expiresAt: string): Promise<void> {
  await tx.query('update sessions set expires_at = $2 where id = $1', [id, expiresAt]);
}

export async function endSession(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from sessions where id = $1', [id]);
}

/** Ends a session of this member. @returns false when the member has no such session */
export async function endSessionOf(tx: Transaction, memberId: string, id: string): Promise<boolean> {
  const ended = await tx.query('delete from sessions where id = $1::uuid and member_id = $2 returning 1', [
    id,
    memberId,
  ]);
  return ended.length > 0;
}

/** Ends all sessions of this member but one. */
export async function endOtherSessions(tx: Transaction, memberId: string, exceptId: string): Promise<void> {
  await tx.query('delete from sessions where member_id = $1 and id <> $2::uuid', [memberId, exceptId]);
}

export async function endSessionsOf(tx: Transaction, memberIds: readonly string[]): Promise<void> {
  await tx.query('delete from sessions where member_id = any($1::uuid[])', [memberIds]);
}
