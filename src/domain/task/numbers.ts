import { decimalOf } from '../../../contracts/decimal.js';
import { limits } from '../../../contracts/limits.js';
import { mostDecimals } from '../../../contracts/market.js';
import { tokenMembers, toolCallMembers } from '../../../contracts/submitted-receipt.js';
import { type Part, partsOf } from '../json-outline.js';
import type { SentReceipt } from './body.js';
import { type Issue, pathOf } from './refused.js';
import { namedParts } from './split.js';

/**
 * The faults of numbers that a double may not represent as they were sent, in members that an entry holds: the schema
 * sees the double alone.
 */
export function faultsOfNumbers(sent: SentReceipt): Issue[] {
  const { body, unusual } = sent;
  if (unusual.length === 0) return [];
  return namedParts(sent).flatMap((member) => {
    const inside = unusual.filter((offset) => offset >= member.from && offset < member.to);
    return located(body, member, inside).flatMap(({ path, spelling }) => {
      const message = isHeld(path) ? faultOf(spelling, path) : undefined;
      return message === undefined ? [] : [{ path: pathOf(path), message }];
    });
  });
}

interface Located {
  readonly path: readonly string[];
  readonly spelling: string;
}

const numeral = /-?[0-9][0-9.eE+-]*/y;

export function spellingAt(body: string, offset: number): string {
  numeral.lastIndex = offset;
  return numeral.exec(body)?.[0] ?? '';
}

/** The numbers at these offsets of the body, all in one member, in one pass over the parts of the member. */
function located(body: string, { name, from, to, depth }: Part, offsets: readonly number[]): Located[] {
  if (depth === 0) return offsets.map((offset) => ({ path: [name], spelling: spellingAt(body, offset) }));
  const found: Located[] = [];
  let next = 0;
  const visit = (parts: readonly Part[], around: readonly string[]) => {
    for (const [at, part] of parts.entries()) {
      const isIn = () => next < offsets.length && (offsets[next] ?? 0) < from + part.to;
      if (!isIn()) continue;
      const path = [...around, part.name === '' ? String(at) : part.name];
      visit(part.parts, path);
      // Deeper numbers than the parts show have the path of the part around them.
      for (; isIn(); next += 1) found.push({ path, spelling: spellingAt(body, offsets[next] ?? 0) });
    }
  };
  visit(partsOf(body.slice(from, to), 2), [name]);
  return found;
}

/** Whether an entry holds the number at a path of a named member. */
function isHeld([member, first = '', second = '']: readonly string[]): boolean {
  if (member === 'tool_calls') return toolCallMembers.has(second);
  return member !== 'tokens' || tokenMembers.has(first);
}

function faultOf(spelling: string, path: readonly string[]): string | undefined {
  const { significantDigits, decimals } = decimalOf(spelling);
  if (significantDigits > limits.receiptDigits) return `must have at most ${limits.receiptDigits} significant digits`;
  const value = Number(spelling);
  if (!Number.isFinite(value) || (value === 0 && significantDigits > 0)) return 'is beyond the range of numbers';
  const most = decimalsAt(path);
  if (decimals <= most) return undefined;
  return most === 0 ? 'must be a whole number' : `must have at most ${most} decimals`;
}

function decimalsAt([member, ...inner]: readonly string[]): number {
  if (member === 'market') return mostDecimals(inner.at(-1) ?? '');
  return member === 'tool_calls' || member === 'tokens' ? 0 : Number.POSITIVE_INFINITY;
}
