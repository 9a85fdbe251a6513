import type { Place } from '../bundle.js';
import { equal, toHex } from '../bytes.js';
import type { Entry } from '../entry.js';
import { readHeadLeaf } from '../leaf.js';
import type { EntryRange } from '../range.js';
import type { Claim } from '../report.js';
import { attempt } from '../unreadable.js';

/**
 * Whether the entries that the reader has are all entries of the workspace up to the head of the bundle. Another claim is whether
 * that head is in the log.
 */
export function rangeClaim(range: EntryRange, entry: Entry | string, place: Place | null): Claim {
  const claim = { name: 'range' } as const;
  const details = { entries: range.size, root: toHex(range.root) };
  if (range.fault !== null) return { ...claim, state: 'failed', text: `${range.fault}.`, details };
  if (!place) {
    const text = `The ${range.size} entries follow each other. No checkpoint in the bundle shows whether they are all.`;
    return { ...claim, state: 'absent', text, details };
  }
  const head = attempt(() => readHeadLeaf(place.head.leaf));
  if (typeof head === 'string' || typeof entry === 'string') {
    return { ...claim, state: 'failed', text: 'The entry or the head of the bundle cannot be read.', details };
  }
  const failed = (text: string): Claim => ({ ...claim, state: 'failed', text, details });
  if (range.workspaceId !== null && range.workspaceId !== entry.receipt.workspace_id) {
    return failed('The entries are of another workspace than the bundle.');
  }
  if (range.size < head.size) {
    return failed(`The file ends after entry ${range.size}, and the head of the bundle is of ${head.size} entries.`);
  }
  if (range.size > head.size) {
    return failed(`The file has ${range.size} entries, and the head of the bundle shows the first ${head.size} only.`);
  }
  if (!equal(range.root, head.root) || range.lastHash === null || !equal(range.lastHash, head.headHash)) {
    return failed(`The ${range.size} entries do not lead to the root of the head.`);
  }
  const text =
    `These are all entries of the workspace from 1 to ${head.size}: they lead to the root of its head at leaf ` +
    `${place.head.index} of the log. It says nothing of later entries.`;
  return { ...claim, state: 'verified', text, details };
}
