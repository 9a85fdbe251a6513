import type { OpenedDatabase } from '../database/database.js';
import { foregroundFirst } from '../database/priority.js';
import type { Config } from '../settings/config.js';

/** A PostgreSQL server runs many statements at once. The embedded database runs one, so requests have priority over workers. */
export function prioritiesOf({ databaseUrl }: Config, store: OpenedDatabase) {
  if (databaseUrl) return { foreground: store.prompt, background: store.prompt, slow: store };
  const { foreground, background } = foregroundFirst(store);
  return { foreground, background, slow: background };
}
