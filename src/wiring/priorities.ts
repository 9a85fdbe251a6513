import type { OpenedDatabase } from '../adapters/database/database.js';
import { foregroundFirst } from '../adapters/database/priority.js';
import type { Config } from '../config.js';

/** A PostgreSQL server runs many statements at once. The embedded database runs one, so requests have priority over workers. */
export function prioritiesOf({ databaseUrl }: Config, store: OpenedDatabase) {
  if (databaseUrl) return { foreground: store.prompt, background: store.prompt, slow: store };
  const { foreground, background } = foregroundFirst(store);
  return { foreground, background, slow: background };
}
