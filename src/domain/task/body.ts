import { limits } from '../../../contracts/limits.js';
import { type Outline, outlineOf, type Part, type Span } from '../json-outline.js';
import { isObject } from '../json-text.js';
import { type Issue, type RefusedTasks, refusedFields, refusedReceipt } from './refused.js';
import { type Excess, excessOfLists, excessOfText } from './size.js';

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
  const value = outline.values > mostValues ? tooLong : parsed(text);
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON text has this value.
    return undefined;
  }
}

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
