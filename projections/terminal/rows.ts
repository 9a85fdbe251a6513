import type { Transaction } from '../../src/database/database.js';
import { personRows } from '../account/rows.js';
import { gather } from '../projection.js';

/** Rows that the SQL of other folders may read and join: the people who have something in the terminal. */
export const terminalAccountRows = '(select person_id from terminal_accounts)';

/** Locks the account of a person until the transaction ends, so that what it may hold is counted by one request at a time. */
export async function lockAccount(tx: Transaction, personId: string): Promise<void> {
  await tx.query(
    `insert into terminal_accounts (person_id) values ($1)
      on conflict (person_id) do update set person_id = excluded.person_id`,
    [personId],
  );
}

/** Gives an account that a person had under another id to that person, unless there is one already. */
export async function moveAccount(tx: Transaction, fromId: string, personId: string): Promise<void> {
  await tx.query(
    `update terminal_accounts set person_id = $2::uuid
      where person_id = $1::uuid and not exists (select 1 from terminal_accounts where person_id = $2::uuid)`,
    [fromId, personId],
  );
  await tx.query('delete from terminal_accounts where person_id = $1', [fromId]);
}

/** Removes the accounts of people who have left their last workspace, in the transaction of the append, after the read models. */
export const forgottenAccounts = gather({ 'member.removed': ({ entry }) => [entry] }, forgetAccounts);

/** Removes the accounts of people who are gone, with everything in them. */
export async function forgetAccounts(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from terminal_accounts a where not exists (select 1 from ${personRows} p where p.id = a.person_id)`,
  );
}
