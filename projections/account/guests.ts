import type { Row, Transaction } from '../../src/database/database.js';
import { emailKey } from '../../src/domain/email.js';
import { terminalAccountRows } from '../terminal/rows.js';

/** Someone who has signed in with a provider and is a member of no workspace. @returns the id of that person */
export async function guestWith(tx: Transaction, email: string, newId: string, now: Date): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    `insert into guests (id, email, email_key, created_at) values ($1, $2, $3, $4)
      on conflict (email_key) do update set email = excluded.email returning id::text`,
    [newId, email, emailKey(email), now.toISOString()],
  );
  return row?.id ?? newId;
}

/** Removes the guest with this address, who is a member now, and the sessions as a guest. @returns the id of the guest */
export async function endGuest(tx: Transaction, email: string): Promise<string | undefined> {
  const [guest] = await tx.query<{ id: string }>('delete from guests where email_key = $1 returning id::text', [
    emailKey(email),
  ]);
  if (guest) await tx.query('delete from sessions where person_id = $1', [guest.id]);
  return guest?.id;
}

interface GuestSession extends Row {
  person_id: string;
}

/** A session that has not ended and is in no workspace. */
export async function guestSessionById(tx: Transaction, id: string, now: Date): Promise<GuestSession | undefined> {
  const [row] = await tx.query<GuestSession>(
    `select s.person_id::text from sessions s join guests g on g.id = s.person_id
      where s.id = $1::uuid and s.member_id is null and s.expires_at > $2`,
    [id, now.toISOString()],
  );
  return row;
}

/** Forgets guests who came before `before`, are not signed in and have nothing in the terminal. */
export async function forgetGuests(tx: Transaction, before: Date): Promise<void> {
  await tx.query(
    `delete from guests g where g.created_at < $1 and not exists (select 1 from sessions s where s.person_id = g.id)
        and not exists (select 1 from ${terminalAccountRows} a where a.person_id = g.id)`,
    [before.toISOString()],
  );
}
