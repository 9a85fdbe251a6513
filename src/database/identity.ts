import type { Row, Transaction } from './database.js';

/** Which database this is. A replica has the identity of its primary. */
export interface Identity extends Row {
  /** The number that a cluster gets when it is made. */
  readonly system: string;
  readonly name: string;
}

export async function identityOf(tx: Transaction): Promise<Identity> {
  const [row] = await tx.query<Identity>(
    'select system_identifier::text as system, current_database()::text as name from pg_control_system()',
  );
  return row ?? { system: '', name: '' };
}

export async function isInRecovery(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query<{ is: boolean }>('select pg_is_in_recovery() as is');
  return row?.is ?? false;
}
