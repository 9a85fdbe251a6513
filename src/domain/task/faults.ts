import { decimalOf } from '../../../contracts/decimal.js';
import { compareInstants, instantOf } from '../../../contracts/instant.js';
import { limits } from '../../../contracts/limits.js';
import { mostDecimals } from '../../../contracts/market.js';
import { tokenMembers, toolCallMembers } from '../../../contracts/submitted-receipt.js';
import { isStorable } from '../../../contracts/text.js';
import { type Part, partsOf, type Span } from '../../base/json-outline.js';
import { isObject } from '../../base/json-text.js';
import type { SentReceipt } from './body.js';
import { namedParts } from './private-members.js';
import { type Issue, pathOf } from './refused.js';

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

interface Times {
  readonly started_at: string;
  readonly ended_at: string;
}

/** @param now milliseconds since 1970 */
export function faultsOfTimes({ started_at, ended_at }: Times, now: number): Issue[] {
  const [started, ended] = [instantOf(started_at), instantOf(ended_at)];
  if (!started || !ended) return [];
  if (compareInstants(ended, started) < 0) return [{ path: 'ended_at', message: 'must not be before started_at' }];
  const latest = { ms: now + limits.receiptAheadMs, finer: '' };
  if (compareInstants(ended, latest) <= 0) return [];
  return [{ path: 'ended_at', message: "must not be more than 5 minutes after the service's clock" }];
}

/** The escapes of NUL and of halves of surrogate pairs. */
const suspicious = /\\u(?:0000|[dD][89a-fA-F])/;

/** Whether no string of a JSON text can have NUL or half of a surrogate pair. Only escapes can spell them in UTF-8. */
export function isSurelyStorable(text: string): boolean {
  return text.isWellFormed() && !suspicious.test(text);
}

/** The first string of a JSON value, keys included, that has NUL or half of a surrogate pair. */
export function faultOfStrings(value: unknown, path: readonly string[] = []): Issue | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : { path: pathOf(path), message: notStorable };
  if (!Array.isArray(value) && !isObject(value)) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const here = [...path, key];
    const fault = isStorable(key) ? faultOfStrings(member, here) : { path: pathOf(here), message: notStorable };
    if (fault) return fault;
  }
  return undefined;
}

const notStorable = 'must be valid Unicode without NUL';
