import { catalogue, currentBody, isEntryKind } from '../../contracts/entries/catalogue.js';
import type { Entry } from '../../contracts/entries/entry.js';

/**
 * Reads the text of a stored entry as an entry of today: a body that an earlier version of the service has written gets
 * today's shape. What is hashed, shown and proved are the stored bytes, never the result of this.
 * @throws when the kind is one that this version does not know
 */
export function readEntry(text: string): Entry {
  return entryOfToday(JSON.parse(text));
}

/** The same for an entry that was parsed together with others; it is changed in place. @throws as `readEntry` */
export function entryOfToday(parsed: Entry): Entry {
  const kind: string = parsed.kind;
  if (!isEntryKind(kind)) {
    const { seq, workspace_id } = parsed;
    throw new Error(`entry ${seq} of ${workspace_id} has the kind ${kind}, which this version does not know`);
  }
  return catalogue[kind].upcasts.length === 0 ? parsed : Object.assign(parsed, { body: currentBody(parsed) });
}
