import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { equal, toUtf8 } from '../bytes.js';
import type { EventLog } from './receipt.js';

/** A checkpoint as its anchor on Ethereum names it. */
export interface AnchoredCheckpoint {
  /** SHA-256 of the text of the note. */
  readonly digest: Uint8Array;
  readonly origin: string;
  /** Number of leaves. */
  readonly size: number;
}

/** The event of the contract. Its first two arguments are topics, and the third is the data. */
const signature = keccak_256(toUtf8('Anchored(bytes32,bytes32,uint64)'));

/** The name of a log in an event: SHA-256 of the origin line without its line feed. */
function originHash(origin: string): Uint8Array {
  return sha256(toUtf8(origin));
}

/** @returns null when the log is the anchor of the checkpoint, or a sentence that says what else it is */
export function faultOfEvent({ topics, data }: EventLog, { digest, origin, size }: AnchoredCheckpoint): string | null {
  const [name, log, anchored, ...more] = topics;
  if (!name || !equal(name, signature)) return 'the event is not the anchor of a checkpoint';
  if (!log || !anchored || more.length > 0 || data.length !== 32)
    return 'the event does not have the form of an anchor';
  if (!equal(log, originHash(origin))) return 'the event is about another log';
  if (!equal(anchored, digest)) return 'the event is about another checkpoint';
  return equal(data, word(size)) ? null : 'the event gives another number of leaves';
}

/** An unsigned integer as 32 bytes. */
function word(value: number): Uint8Array {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setBigUint64(24, BigInt(value));
  return bytes;
}
