import { createHash } from 'node:crypto';
import type { NewestTurn } from '../../projections/log/queries.js';
import { toHex } from '../verifier/bytes.js';
import { emptyRoot } from '../verifier/merkle.js';

/** How much of the log was signed last: its size, and its root in lowercase hex. */
export interface LastSigned {
  readonly size: number;
  readonly root: string;
}

/**
 * What a directory of keys knows besides its keys. A turn is 32 random bytes in lowercase hex. Only its SHA-256 is in the log's
 * chain, so the store cannot give the right to sign to anybody, also not when it is restored from an older copy.
 *
 * | `turn` | `before` | |
 * | --- | --- | --- |
 * | a turn | a turn | The chain has named `before`. `turn` is the next one, which the chain may have named since. |
 * | a turn | null | `turn` will be the first of a log whose chain has named none. |
 * | null | a turn | The directory signs when the chain names `before`, which another signer has been asked to give to it. |
 * | null | null | The directory has given its turn away. |
 */
export interface SigningRecord extends LastSigned {
  readonly turn: string | null;
  readonly before: string | null;
}

/** The record of a version without turns has no such members. */
export type StoredRecord = SigningRecord | (LastSigned & { readonly turn?: never; readonly before?: never });

/** The record of a directory whose keys have signed nothing. Only who makes the keys makes it: a copy of them begins no log. */
export function firstRecord(turn: string): SigningRecord {
  return { size: 0, root: toHex(emptyRoot), turn, before: null };
}

/** SHA-256 of a turn, in lowercase hex: what the log's chain shows of it. */
export function hashOfTurn(turn: string): string {
  return createHash('sha256').update(Buffer.from(turn, 'hex')).digest('hex');
}

/** The log's chain, as far as it decides who may sign. */
export interface Named {
  readonly newest: NewestTurn | null;
  /** The newest checkpoint; undefined where there is none. */
  readonly latest: { readonly size: number; readonly root: Uint8Array } | undefined;
}

/**
 * What the record of a directory says about its right to sign, where the store contains all that the record does:
 * - `holds`: the chain has named its turn last, and the record is complete.
 * - `named`: the chain has named its next turn last; a crash, or the signer that gave it, left the record to be completed.
 * - `begins`: the chain has named no turn, and the record is its newest checkpoint.
 * - `without`: another directory has the turn, or none.
 */
export type Standing = 'holds' | 'named' | 'begins' | 'without';

export function standingOf(record: StoredRecord | null, { newest, latest }: Named): Standing {
  if (record === null) return 'without';
  if (newest === null) return mayBegin(record, latest) ? 'begins' : 'without';
  const is = (turn: string | null | undefined) => typeof turn === 'string' && hashOfTurn(turn) === newest.turn;
  if (is(record.turn)) return 'named';
  if (!is(record.before)) return 'without';
  return record.turn === null ? 'named' : 'holds';
}

/** A record with turns of a chain that has none was made behind this state of the store, unless it is the first one. */
function mayBegin(record: StoredRecord, latest: Named['latest']): boolean {
  if (record.turn === null || typeof record.before === 'string') return false;
  return record.size === (latest?.size ?? 0) && record.root === toHex(latest?.root ?? emptyRoot);
}

/** SHA-256 of the turns that a record knows. */
export function hashesOf(record: StoredRecord | null): readonly string[] {
  return [record?.turn, record?.before].flatMap((turn) => (typeof turn === 'string' ? [hashOfTurn(turn)] : []));
}
