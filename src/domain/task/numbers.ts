import { decimalOf } from '../../../contracts/decimal.js';
import { limits } from '../../../contracts/limits.js';
import { mostDecimals } from '../../../contracts/market.js';
import { tokenMembers, toolCallMembers } from '../../../contracts/submitted-receipt.js';
import { type Part, partsOf, type Span } from '../json-outline.js';
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
    const inside = unusual.filter(({ from }) => from >= member.from && from < member.to);
    // Finding the path of a number takes its time, and nearly every number is right wherever it is.
    const doubtful = inside.filter(({ from, to }) => faultOf(body.slice(from, to), 0) !== undefined);
    return located(body, member, doubtful).flatMap(({ path, spelling }) => {
      const message = isHeld(path) ? faultOf(spelling, decimalsAt(path)) : undefined;
      return message === undefined ? [] : [{ path: pathOf(path), message }];
    });
  });
}

interface Located {
  readonly path: readonly string[];
  readonly spelling: string;
}

/** These numbers of one member with their paths, in one pass over the parts of the member. */
function located(body: string, { name, from, to, depth }: Part, numbers: readonly Span[]): Located[] {
  const spelled = (number: Span) => body.slice(number.from, number.to);
  if (numbers.length === 0 || depth === 0) return numbers.map((one) => ({ path: [name], spelling: spelled(one) }));
  const found: Located[] = [];
  const waiting = [...numbers].reverse();
  const visit = (parts: readonly Part[], around: readonly string[]) => {
    for (const [at, part] of parts.entries()) {
      const next = () => {
        const number = waiting.at(-1);
        return number && number.from < from + part.to ? number : undefined;
      };
      if (!next()) continue;
      const path = [...around, part.name === '' ? String(at) : part.name];
      visit(part.parts, path);
      // Deeper numbers than the parts show have the path of the part around them.
      for (let number = next(); number; number = next()) {
        found.push({ path, spelling: spelled(number) });
        waiting.pop();
      }
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

function faultOf(spelling: string, mostDecimals: number): string | undefined {
  const { significantDigits, decimals } = decimalOf(spelling);
  if (significantDigits > limits.receiptDigits) return `must have at most ${limits.receiptDigits} significant digits`;
  const value = Number(spelling);
  if (!Number.isFinite(value) || (value === 0 && significantDigits > 0)) return 'is beyond the range of numbers';
  if (decimals <= mostDecimals) return undefined;
  return mostDecimals === 0 ? 'must be a whole number' : `must have at most ${mostDecimals} decimals`;
}

function decimalsAt([member, ...inner]: readonly string[]): number {
  if (member === 'market') return mostDecimals(inner.at(-1) ?? '');
  return member === 'tool_calls' || member === 'tokens' ? 0 : Number.POSITIVE_INFINITY;
}
