import { limits } from '../../../contracts/limits.js';
import { type Outline, outlineOf, type Part, type Span } from '../../base/json-outline.js';
import { isObject, parsedJson } from '../../base/json-text.js';
import { type Issue, type RefusedTasks, refusedFields, refusedReceipt } from './refused.js';

/** A receipt as it was sent: its value, and where it is in the text of the body. */
export interface SentReceipt {
  readonly body: string;
  readonly part: Part;
  /** An object, unless the caller has sent something else as a receipt. */
  readonly value: unknown;
  /** The numbers that a double may not represent as they were sent, in their order. */
  readonly unusual: readonly Span[];
}

interface SentBody {
  readonly isBatch: boolean;
  readonly receipts: readonly SentReceipt[];
}

/** The receipts of the largest batch, their list, and the body. */
const mostValues = 2 + limits.receiptsPerBatch * limits.receiptValues;
const bodyLimits = {
  depth: Number.POSITIVE_INFINITY,
  values: mostValues,
  // The members of the body, the receipts in its list, and their members.
  levels: 3,
};

/**
 * Divides a body into receipts, none of which is over a limit of size. A body is a batch if it has a member `receipts`
 * and no `receipt_id`; every other body is one receipt. A body with more values than the largest batch is refused
 * without being parsed.
 */
export function readBody(text: string): SentBody | RefusedTasks {
  const outline = outlineOf(text, bodyLimits);
  const value = outline.values > mostValues ? tooLong : parsedJson(text);
  const fault = faultOfJson(text, value, outline);
  if (fault !== undefined) return { code: 'invalid_json', message: fault, details: {} };
  const list = outline.parts.some(({ name }) => name === 'receipt_id')
    ? undefined
    : outline.parts.find(({ name }) => name === 'receipts');
  const isBatch = list !== undefined;
  const parts = isBatch ? (text[list.from] === '[' ? list.parts : []) : [wholeOf(text, outline)];
  const tooLarge = firstExcess(parts, isBatch, (part) => excessOfText(text, part));
  if (tooLarge) return tooLarge;
  if (isBatch) {
    const issues = faultsOfBatch(outline.parts, parts.length);
    if (issues.length > 0) return refusedFields('invalid_receipt', undefined, issues);
  }
  const receipts = sentReceipts(text, parts, isBatch ? itemsOf(value) : [value], outline.unusual);
  return firstExcess(receipts, isBatch, (receipt) => excessOfLists(receipt.value)) ?? { isBatch, receipts };
}

/** Stands for the value of a text that is too long to be parsed. */
const tooLong = Symbol('too long');

function faultOfJson(text: string, value: unknown, { repeats }: Outline): string | undefined {
  if (value === undefined) return 'The body is not JSON.';
  if (value === tooLong ? !/^[ \t\n\r]*\{/.test(text) : !isObject(value)) return 'The body must be a JSON object.';
  // Parsers differ in which of two equal keys they use, so an auditor could read another value than the service.
  return repeats ? 'The body has the same key twice in one object.' : undefined;
}

function wholeOf(text: string, { parts, values, depth }: Outline): Part {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}') + 1];
  return { name: '', start: from, from, to, values, depth, parts };
}

function firstExcess<T>(
  items: readonly T[],
  isBatch: boolean,
  excessOf: (item: T) => Excess | undefined,
): RefusedTasks | undefined {
  for (const [at, item] of items.entries()) {
    const excess = excessOf(item);
    if (!excess) continue;
    const { of, limit, got } = excess;
    const message = `It has ${got} ${of}, more than ${limit}.`;
    return refusedReceipt('receipt_too_large', isBatch ? at : undefined, message, { limit, got });
  }
  return undefined;
}

function faultsOfBatch(members: readonly Part[], receipts: number): Issue[] {
  const most = limits.receiptsPerBatch;
  const count = { path: 'receipts', message: `must be a list of 1 to ${most} task receipts` };
  const others = members.filter(({ name }) => name !== 'receipts');
  return [
    ...(receipts >= 1 && receipts <= most ? [] : [count]),
    ...others.map(({ name }) => ({ path: name, message: 'is not a member of a batch' })),
  ];
}

function itemsOf(body: unknown): readonly unknown[] {
  const items: unknown = isObject(body) ? body.receipts : undefined;
  return Array.isArray(items) ? items : [];
}

function sentReceipts(
  body: string,
  parts: readonly Part[],
  values: readonly unknown[],
  unusual: readonly Span[],
): SentReceipt[] {
  let next = 0;
  return parts.map((part, at) => {
    const first = next;
    while (next < unusual.length && (unusual[next]?.from ?? 0) < part.to) next += 1;
    return { body, part, value: values[at], unusual: unusual.slice(first, next) };
  });
}

/** A limit of size that a receipt exceeds. */
interface Excess {
  /** The noun for the message: "bytes". */
  readonly of: string;
  readonly limit: number;
  readonly got: number;
}

/** The size of the text of a receipt. It is checked before anything is built from the text. */
function excessOfText(body: string, { from, to, values, depth }: Omit<Part, 'parts'>): Excess | undefined {
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
function excessOfLists(receipt: unknown): Excess | undefined {
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
