import type { Logger } from 'pino';
import type { Config } from '../../settings/config.js';
import { absentRoles, type Role } from '../../settings/roles.js';

/** Warns of roles that no process has, because the embedded store admits one process. */
export function warnOfAbsent({ databaseUrl }: Config, roles: readonly Role[], log: Logger): void {
  if (databaseUrl) return;
  for (const sentence of absentRoles(new Map(roles.map((role) => [role, 1])))) {
    log.warn(`${sentence} No other process can have it, because the embedded store admits only one.`);
  }
}
