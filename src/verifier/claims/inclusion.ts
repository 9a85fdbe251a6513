import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Place } from '../bundle.js';
import { equal, toHex, toUtf8 } from '../bytes.js';
import { faultOfLeaf, type Log } from '../checkpoint.js';
import type { Entry } from '../entry.js';
import { type Head, readHeadLeaf } from '../leaf.js';
import { verifyInclusion } from '../merkle.js';
import type { Claim } from '../report.js';
import { attempt } from '../unreadable.js';

/** Whether the entry is in the tree of its workspace, and the head of that tree is in the transparency log. */
export function inclusionClaim(
  entry: Entry | string,
  place: Place | null,
  log: Log | string | null,
  unplaced: string | null,
): Claim {
  const claim = { name: 'inclusion' } as const;
  if (!place || log === null) {
    const why = unplaced === null ? '' : ` The service that made the bundle says: ${unplaced}`;
    return { ...claim, state: 'absent', text: `No checkpoint covers the entry yet.${why}`, details: {} };
  }
  const head = attempt(() => readHeadLeaf(place.head.leaf));
  if (typeof entry === 'string' || typeof log === 'string' || typeof head === 'string') {
    const text =
      'The position of the entry cannot be checked, because the entry, the head or the checkpoint cannot be read.';
    return { ...claim, state: 'failed', text, details: {} };
  }
  const { seq } = entry.receipt;
  const details = {
    entry: seq,
    workspace_size: head.size,
    workspace_root: toHex(head.root),
    head_index: place.head.index,
    log_size: log.size,
  };
  const fault = faultInWorkspace(entry, place, head) ?? faultInLog(place, log);
  if (fault !== null) return { ...claim, state: 'failed', text: `${fault}.`, details };
  const text =
    `The entry is number ${seq} of ${head.size} in the tree of its workspace, ` +
    `whose head is leaf ${place.head.index} of the ${log.size} in the log.`;
  return { ...claim, state: 'verified', text, details };
}

function faultInWorkspace({ receipt, hash }: Entry, { inclusion, tagKey }: Place, head: Head): string | null {
  if (!equal(hmac(sha256, tagKey, toUtf8(receipt.workspace_id)), head.tag))
    return 'The head belongs to another workspace';
  if (receipt.seq > head.size) return `The head has only ${head.size} entries, and this is entry ${receipt.seq}`;
  if (receipt.seq === head.size && !equal(hash, head.headHash)) return 'The head names another entry as the last one';
  const { size, root } = head;
  const fault = verifyInclusion({ leaf: hash, index: receipt.seq - 1, size, proof: inclusion, root });
  return fault === null ? null : `The entry is not shown to be in the tree of its workspace: ${fault}`;
}

function faultInLog({ head }: Place, log: Log): string | null {
  const fault = faultOfLeaf(head, log);
  return fault === null ? null : `The head is not shown to be in the log: ${fault}`;
}
