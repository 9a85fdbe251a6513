import type { Database, Transaction } from '../database/database.js';
import { type Role, type RoleHealth, roles } from '../settings/roles.js';
import type { Job } from './loop.js';

interface PresenceParts {
  readonly database: Database;
  /** The name of this process among those on the same store. */
  readonly owner: string;
  /** The roles that this process has now. */
  readonly own: () => readonly Role[];
  /** Whether other processes may work on the same store. */
  readonly isShared: boolean;
}

const renewMs = 10_000;
/** A process that has not renewed its roles for this time counts as gone. */
const leaseMs = 30_000;

/** Makes known to every process on the store which roles this one has, and counts those of all. */
export function createPresence({ database, owner, own, isShared }: PresenceParts) {
  const job: Job = {
    name: 'roles',
    napMs: renewMs,
    async work() {
      await database.transaction(async (tx) => {
        await tx.query(
          `delete from role_holders where (role, owner) in
             (select role, owner from role_holders where until < now() for update skip locked)`,
        );
        await tx.query(
          `insert into role_holders as r select role, $2, now() + $3 * interval '1 millisecond' from unnest($1::text[]) role
           on conflict (role, owner) do update set until = excluded.until`,
          [own(), owner, leaseMs],
        );
      });
      return false;
    },
    ended: () =>
      database.transaction((tx) => tx.query('delete from role_holders where owner = $1', [owner])).then(noop),
  };
  return {
    job,
    /** This process is counted even before it has made its roles known. */
    async health(): Promise<RoleHealth> {
      const others = isShared ? await database.read((tx) => countOthers(tx, owner)) : new Map<string, number>();
      const held = own();
      return new Map(roles.map((role) => [role, (others.get(role) ?? 0) + (held.includes(role) ? 1 : 0)]));
    },
  };
}

const noop = () => undefined;

/** Whether another process has a role. It is known from the first second of that process until half a minute after a kill of it. */
export async function othersRun(tx: Transaction, owner: string): Promise<boolean> {
  const rows = await tx.select('select 1 as one from role_holders where owner <> $1 and until > now() limit 1', [
    owner,
  ]);
  return rows.length > 0;
}

async function countOthers(tx: Transaction, owner: string): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ role: string; held: number }>(
    'select role, count(*) as held from role_holders where owner <> $1 and until > now() group by role',
    [owner],
  );
  return new Map(rows.map(({ role, held }) => [role, held]));
}
