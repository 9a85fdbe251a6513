import { ExactNumber } from '../../contracts/exact-number.js';
import { limits } from '../../contracts/limits.js';
import { outlineOf, type Part, partsOf } from '../base/json-outline.js';
import { isObject } from '../base/json-text.js';
import { canonical } from '../verifier/canonical.js';

/** A number has more digits than are compared. */
export class TooManyDigits extends Error {
  override name = 'TooManyDigits';
}

/**
 * The value of a JSON object in which every number is the one that was sent. JSON.parse makes 9007199254740992 of
 * 9007199254740993, so a filter would find other memories than those that the caller means.
 * @param text has been read before
 * @throws TooManyDigits
 */
export function exactObject(text: string): Readonly<Record<string, unknown>> {
  return objectOf(text, partsOf(text, limits.jsonDepth), exactNumberOf);
}

type ReadNumber = (spelling: string) => unknown;

function exactValueOf(text: string, { from, to, parts }: Part, number: ReadNumber): unknown {
  const first = text[from] ?? '';
  if (first === '{') return objectOf(text, parts, number);
  if (first === '[') return parts.map((part) => exactValueOf(text, part, number));
  const literal = text.slice(from, to);
  return /[-\d]/.test(first) ? number(literal) : JSON.parse(literal);
}

const objectOf = (text: string, parts: readonly Part[], number: ReadNumber) =>
  Object.fromEntries(parts.map((part) => [part.name, exactValueOf(text, part, number)]));

/** Metadata as jsonb that filters are compared with. @param text has been read before */
export function comparableJson(text: string): string {
  const read = comparableObject(text);
  return read.isExact ? exactCanonical(read.value) : JSON.stringify(read.value);
}

/**
 * Metadata as filters and patterns compare it. A number with more digits than are compared is the nearest float, or null if there
 * is none: the largest ones would overflow in jsonb.
 * @param text has been read before
 */
export function comparableObject(text: string): Comparable {
  const { unusual, depth } = outlineOf(text, { depth: Infinity, values: Infinity, levels: 0 });
  if (unusual.length === 0) return { value: JSON.parse(text), isExact: false };
  return { value: objectOf(text, partsOf(text, depth), comparedOrFloat), isExact: true };
}

interface Comparable {
  readonly value: Readonly<Record<string, unknown>>;
  /** Whether there may be an ExactNumber in it. */
  readonly isExact: boolean;
}

/** Whether two scalars of JSON are the same. */
export const isSameScalar = (one: unknown, other: unknown): boolean =>
  one === other || (one instanceof ExactNumber && other instanceof ExactNumber && one.text === other.text);

function comparedOrFloat(spelling: string): number | ExactNumber | null {
  try {
    return exactNumberOf(spelling);
  } catch (error) {
    if (!(error instanceof TooManyDigits)) throw error;
    const float = Number(spelling);
    return Number.isFinite(float) ? float : null;
  }
}

/** @param spelling a number of JSON. @throws TooManyDigits */
export function exactNumberOf(spelling: string): number | ExactNumber {
  const text = decimalText(spelling);
  const float = Number(spelling);
  return Number.isFinite(float) && decimalText(String(float)) === text ? float : new ExactNumber(text);
}

/** The only form of a number without an exponent, a plus and zeros that say nothing. */
function decimalText(spelling: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(spelling) ?? [];
  const digits = whole + fraction;
  let [first, end] = [0, digits.length];
  while (first < end && digits[first] === '0') first += 1;
  while (end > first && digits[end - 1] === '0') end -= 1;
  if (first === end) return '0';
  // The place of the point among the digits that say something.
  const point = whole.length + Number(power) - first;
  const significant = digits.slice(first, end);
  if (Math.max(significant.length, point) + Math.max(0, -point) > limits.filterDigits) throw new TooManyDigits();
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${significant}`;
  if (point >= significant.length) return sign + significant.padEnd(point, '0');
  return `${sign}${significant.slice(0, point)}.${significant.slice(point)}`;
}

/** The canonical text of a value (RFC 8785), in which numbers that floats do not keep have all their digits. */
export function exactCanonical(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(exactCanonical).join(',')}]`;
  if (!isObject(value)) return canonical(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${canonical(key)}:${exactCanonical(member)}`).join(',')}}`;
}
