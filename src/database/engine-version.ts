import type { Transaction } from './database.js';

/** The version of PostgreSQL that answers, which is that of the server or the one that PGlite is built from. */
export async function engineVersion(tx: Transaction): Promise<string> {
  const [row] = await tx.query<{ version: string }>(`select current_setting('server_version') as version`);
  return row?.version ?? '';
}
