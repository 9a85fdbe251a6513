import type { OpenedDatabase } from '../../database/database.js';
import { pendingMigrations, statements } from '../../database/migrate.js';
import { replayedTables } from '../../ledger/check/batches.js';
import { tableOfErasures } from '../../ledger/on-erasure.js';

/** The advisory lock of a process that prepares. The number has no other meaning. */
const prepareLock = 4_201_704;

/** How long the lock of a process that was just killed may still be held, in milliseconds, and between two attempts. */
const lingerMs = 3000;
const pauseMs = 100;

/**
 * Looks whether this version can prepare while another one serves. Nothing is changed.
 * @throws Error with a sentence that says what to do
 */
export async function requirePreparable(database: Pick<OpenedDatabase, 'read'>, migrations?: string): Promise<void> {
  await requireOwner(database);
  const pending = await pendingMigrations(database, migrations);
  for (const { name, sql } of pending) {
    const table = replayedTables.find((one) => statements(sql).some((text) => new RegExp(`\\b${one}\\b`).test(text)));
    if (table === undefined) continue;
    throw new Error(
      `This version cannot be prepared: its migration ${name} names the table ${table}, which a replay reads, and it may only be applied when no old version serves. ` +
        'Stop every process, and start this version.',
    );
  }
}

/** Tables can be put into service only by the role that owns those of the store. */
async function requireOwner(database: Pick<OpenedDatabase, 'read'>): Promise<void> {
  const [row] = await database.read((tx) =>
    tx.query<{ owner: string | null; me: string; may: boolean; database: string }>(
      `select (select quote_ident(pg_get_userbyid(relowner)) from pg_class where oid = to_regclass($1)) as owner,
              quote_ident(current_user) as me, has_database_privilege(current_database(), 'create') as may,
              quote_ident(current_database()) as database`,
      [tableOfErasures],
    ),
  );
  if (!row) throw new Error('the database does not say which role this is');
  if (row.owner === null) throw new Error('The database holds no store yet. Start the service once.');
  if (row.owner !== row.me) {
    throw new Error(
      `The tables of the store belong to the role ${row.owner}, and DATABASE_URL names ${row.me}. Run this command as the role of the service.`,
    );
  }
  if (row.may) return;
  throw new Error(
    `The role ${row.me} may not make a schema. Let the owner of the database run: grant create on database ${row.database} to ${row.me}`,
  );
}

/** Runs `work` while no other process prepares. @throws Error with a sentence when one does */
export function preparingAlone<T>(database: Pick<OpenedDatabase, 'transaction'>, work: () => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    for (const until = performance.now() + lingerMs; ; ) {
      const [row] = await tx.query<{ got: boolean }>('select pg_try_advisory_xact_lock($1) as got', [prepareLock]);
      if (row?.got) return work();
      if (performance.now() > until) throw new Error(isRunning);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  });
}

const isRunning =
  'Another counterfoil prepare is running on this store. Wait for its end, or stop it: the next one continues where it was.';
