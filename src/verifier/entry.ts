import { toHex } from './bytes.js';
import { readCanonical } from './canonical.js';
import type { Json, JsonObject } from './json.js';
import { leafHash } from './merkle.js';
import type { Report } from './report.js';
import { anyObject, count, text, time } from './shape.js';
import { actorFields } from './story/actor.js';
import { Unreadable } from './unreadable.js';

/** The members of an entry that every kind has, with its hash. */
type EntryFields = Pick<
  NonNullable<Report['receipt']>,
  'receipt_id' | 'kind' | 'workspace_id' | 'seq' | 'recorded_at' | 'hash' | 'actor'
>;

/** The parts of an entry that a verifier reads. */
export interface Entry {
  readonly receipt: EntryFields;
  /** SHA-256(0x00 ‖ bytes): the leaf hash, which is also the next entry's `prev_hash`. */
  readonly hash: Uint8Array;
  readonly body: JsonObject;
}

/** @throws Unreadable for bytes that are not in canonical form, and for JSON that is not an entry of version 1 */
export function readEntry(bytes: Uint8Array): Entry {
  const members = anyObject(readCanonical(bytes), 'the entry');
  if (members.v !== 1) throw new Unreadable('the entry is not of version 1');
  if (!/^[0-9a-f]{64}$/.test(text(members.prev_hash, 'its prev_hash')))
    throw new Unreadable('its prev_hash is no hash');
  const actor = anyObject(members.actor, 'its actor');
  const seq = count(members.seq, 'its seq');
  if (seq === 0) throw new Unreadable('its seq is 0, and the first is 1');
  const hash = leafHash(bytes);
  return {
    receipt: {
      receipt_id: name(members.receipt_id, 'its receipt_id'),
      kind: name(members.kind, 'its kind'),
      workspace_id: name(members.workspace_id, 'its workspace_id'),
      seq,
      recorded_at: time(members.recorded_at, 'its recorded_at'),
      hash: toHex(hash),
      actor: actorFields(actor),
    },
    hash,
    body: anyObject(members.body, 'its body'),
  };
}

const maxName = 512;

function name(value: Json | undefined, what: string): string {
  const read = text(value, what);
  if (read === '' || read.length > maxName) throw new Unreadable(`${what} is empty or longer than ${maxName}`);
  return read;
}
