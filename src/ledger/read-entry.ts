import { catalogue, isEntryKind } from '../../contracts/entries/catalogue.js';
import type { Entry } from '../../contracts/entries/entry.js';

/**
 * Reads the text of a stored entry as an entry of today: a body that an earlier version of the service has written gets
 * today's shape. What is hashed, shown and proved are the stored bytes, never the result of this.
 * @throws when the kind is one that this version does not know
 */
export function readEntry(text: string): Entry {
  const entry = JSON.parse(text);
  const kind: string = entry.kind;
  if (!isEntryKind(kind)) {
    throw new Error(
      `entry ${entry.seq} of ${entry.workspace_id} has the kind ${kind}, which this version does not know`,
    );
  }
  for (const upcast of catalogue[kind].upcasts) entry.body = upcast(entry.body);
  return entry;
}
