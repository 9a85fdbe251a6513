import { limits } from '../../../contracts/limits.js';
import type { Part } from '../json-outline.js';
import { isObject } from '../json-text.js';

/** A limit of size that a receipt exceeds. */
export interface Excess {
  /** The noun for the message: "bytes". */
  readonly of: string;
  readonly limit: number;
  readonly got: number;
}

/** The size of the text of a receipt. It is checked before anything is built from the text. */
export function excessOfText(body: string, { from, to, values, depth }: Omit<Part, 'parts'>): Excess | undefined {
  // One UTF-16 code unit is at most three bytes.
  const bytes = 3 * (to - from) <= limits.receiptBytes ? 0 : Buffer.byteLength(body.slice(from, to));
  if (bytes > limits.receiptBytes) return { of: 'bytes', limit: limits.receiptBytes, got: bytes };
  if (values > limits.receiptValues) return { of: 'values', limit: limits.receiptValues, got: values };
  if (depth > limits.receiptLevels) return { of: 'levels', limit: limits.receiptLevels, got: depth };
  return undefined;
}

const lists = [
  ['tool_calls', limits.receiptToolCalls],
  ['declared_scope', limits.receiptScopes],
  ['attestations', limits.receiptAttestations],
] as const;

/** The lengths of the lists of a receipt, and of the entries of its scope. A value of a wrong type has no length here. */
export function excessOfLists(receipt: unknown): Excess | undefined {
  if (!isObject(receipt)) return undefined;
  for (const [name, limit] of lists) {
    const list = receipt[name];
    if (Array.isArray(list) && list.length > limit) return { of: name, limit, got: list.length };
  }
  const limit = limits.receiptScopeCharacters;
  const scopes: readonly unknown[] = Array.isArray(receipt.declared_scope) ? receipt.declared_scope : [];
  for (const scope of scopes) {
    // A text has at most as many code points as code units.
    const got = typeof scope === 'string' && scope.length > limit ? [...scope].length : 0;
    if (got > limit) return { of: 'characters in an item of declared_scope', limit, got };
  }
  return undefined;
}
