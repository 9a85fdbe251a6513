import type { Transaction } from '../database/database.js';

/** This is below PostgreSQL's deadlock_timeout of 1 s, so that in a deadlock it is always the replay that gives way. */
const lockWait = '500ms';
const lockTries = 60;

/**
 * Waits until no transaction uses the tables in a way that `mode` excludes. Others use them in any order, so locking without a
 * timeout could deadlock, and those who come later would wait behind it.
 */
export async function lockTables(
  tx: Transaction,
  tables: readonly string[],
  mode: 'access exclusive' | 'share row exclusive' = 'access exclusive',
): Promise<void> {
  await tx.query(`set local lock_timeout = '${lockWait}'`);
  for (let tries = 1; ; tries += 1) {
    await tx.query('savepoint before_lock');
    try {
      await tx.query(`lock table ${tables.join(', ')} in ${mode} mode`);
      return;
    } catch (error) {
      if (tries === lockTries) throw error;
      await tx.query('rollback to savepoint before_lock');
    }
  }
}
