import type { Plan, Role } from '../../contracts/entries/entry.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { emailKey } from '../../src/domain/email.js';
import type { Membership, Person } from '../../src/domain/person.js';

interface MembershipRow extends Row {
  id: string;
  person_id: string;
  workspace_id: string;
  email_key: string;
  password_hash: string;
  password_set_at: string;
}

const columns = `m.id::text, m.person_id::text, m.workspace_id::text, m.email_key, m.password_hash, m.password_set_at`;

export interface Sought {
  readonly ids?: readonly string[];
  readonly emails?: readonly string[];
  readonly memberIds?: readonly string[];
}

/** The people with one of these ids, addresses or memberships, each with all memberships; the one that came first is the first. */
export async function peopleWith(
  tx: Transaction,
  { ids = [], emails = [], memberIds = [] }: Sought,
): Promise<Person[]> {
  const rows = await tx.query<MembershipRow>(
    `select ${columns} from members m where m.person_id in
       (select person_id from members
         where person_id = any($1::uuid[]) or email_key = any($2::text[]) or id = any($3::uuid[]))
      order by m.person_id, m.id`,
    [ids, emails.map(emailKey), memberIds],
  );
  return grouped(rows);
}

export function peopleByEmail(tx: Transaction, email: string): Promise<Person[]> {
  return peopleWith(tx, { emails: [email] });
}

/** The people whose memberships do not all hold the same password: a change of it has not been completed. */
export async function peopleWithOutdated(tx: Transaction, limit: number): Promise<Person[]> {
  const rows = await tx.query<MembershipRow>(
    `select ${columns} from members m where m.person_id in
       (select person_id from members group by person_id
         having min(password_set_at) < max(password_set_at) or min(password_hash) < max(password_hash)
         order by person_id limit $1)
      order by m.person_id, m.id`,
    [limit],
  );
  return grouped(rows);
}

function grouped(rows: readonly MembershipRow[]): Person[] {
  const people = new Map<string, Membership[]>();
  for (const row of rows) {
    const membership = {
      id: row.id,
      workspaceId: row.workspace_id,
      emailKey: row.email_key,
      passwordHash: row.password_hash,
      passwordSetAt: row.password_set_at,
    };
    people.set(row.person_id, [...(people.get(row.person_id) ?? []), membership]);
  }
  return Array.from(people, ([id, memberships]) => ({ id, memberships }));
}

interface WorkspaceOfPerson extends Row {
  id: string;
  name: string;
  plan: Plan;
  role: Role;
}

/** The workspaces of a person, in the order in which the person came to them. */
export function workspacesOf(tx: Transaction, personId: string): Promise<WorkspaceOfPerson[]> {
  return tx.query<WorkspaceOfPerson>(
    `select w.id::text, w.name, w.plan, m.role
       from members m join workspaces w on w.id = m.workspace_id where m.person_id = $1 order by m.id`,
    [personId],
  );
}
