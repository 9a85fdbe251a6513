import type { Logger } from 'pino';
import type { Config } from '../../settings/config.js';
import { roles as allRoles, type Role } from '../../settings/roles.js';

/** Warns of roles that no process has, because the embedded store admits one process. */
export function warnOfAbsent({ databaseUrl }: Config, roles: readonly Role[], log: Logger): void {
  const absent = allRoles.filter((role) => !roles.includes(role));
  if (absent.length === 0 || databaseUrl) return;
  log.warn(
    { absent },
    'ROLES leaves out work that no other process can do, because the embedded store admits only one',
  );
}
