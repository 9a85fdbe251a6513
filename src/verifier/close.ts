import type { Json, JsonObject } from './json.js';
import { anyObject, count, text } from './shape.js';
import { attempt, Unreadable } from './unreadable.js';

/** The fields of the close of a day of the public market, as its entry has them. */
export interface CloseFields {
  readonly day: string;
  /** The id of each index with its level; null before its base day. */
  readonly levels: readonly (readonly [string, number | null])[];
  /** The number of public receipts of the day that were recorded in time. */
  readonly receipts: number;
  /** The root over their hashes, in hex. */
  readonly root: string;
  /** The SHA-256 of the public file of the day, in hex. */
  readonly facts_hash: string;
}

/**
 * @param body the body of an entry
 * @returns null for a body of another form
 */
export function closeFields(body: JsonObject): CloseFields | null {
  const fields = attempt(() => ({
    day: text(body.day, 'its day'),
    levels: Object.entries(anyObject(body.levels, 'its levels')).map(
      ([id, value]) => [id, level(value, 'a level')] as const,
    ),
    receipts: count(body.receipts, 'its number of receipts'),
    root: text(body.root, 'its root'),
    facts_hash: text(body.facts_hash, 'its hash of the facts'),
  }));
  return typeof fields === 'string' ? null : fields;
}

function level(value: Json, what: string): number | null {
  if (value === null || (typeof value === 'number' && value >= 0)) return value;
  throw new Unreadable(`${what} is not a number from 0 on`);
}
