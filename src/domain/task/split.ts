import { marketSchema } from '../../../contracts/market.js';
import { tokenMembers, toolCallMembers } from '../../../contracts/submitted-receipt.js';
import { namedMembers } from '../../../contracts/task-receipt.js';
import { type Part, partsOf } from '../json-outline.js';
import { isObject } from '../json-text.js';
import type { SentReceipt } from './body.js';

/** Whether a receipt has the extension `market`. Without our schema it is a member like all that are not named. */
export function hasMarket(receipt: unknown): boolean {
  return isObject(receipt) && isObject(receipt.market) && receipt.market.schema === marketSchema;
}

/** The members of a receipt that its entry holds. */
export function namedParts({ part, value }: SentReceipt): Part[] {
  const ownMarket = hasMarket(value);
  return part.parts.filter(({ name }) => namedMembers.has(name) && (name !== 'market' || ownMarket));
}

/**
 * The members of a receipt that an entry does not hold, as one JSON object: `task_summary`, and all that the schema does
 * not name, also in the items of `tool_calls` and in `tokens`. Each member is written exactly as it was sent, with its
 * key, and in the order in which it was sent.
 * @param sent a receipt whose named members have the shapes that the schema demands
 * @returns null when there are none
 */
export function privateTextOf(sent: SentReceipt): string | null {
  const { body, part, value } = sent;
  const named = new Set(namedParts(sent));
  const { tool_calls, tokens } = isObject(value) ? value : {};
  const written = part.parts.flatMap((member) => {
    if (!named.has(member)) return [textOf(body, member)];
    if (member.name === 'tool_calls') return privateCalls(body, member, tool_calls);
    return member.name === 'tokens' ? privateTokens(body, member, tokens) : [];
  });
  return written.length === 0 ? null : `{${written.join(',')}}`;
}

/** A list with one object for each call, or nothing when all members of all calls are named. */
function privateCalls(body: string, { from, to }: Part, calls: unknown): string[] {
  if (Array.isArray(calls) && calls.every((call) => hasOnly(toolCallMembers, call))) return [];
  const list = body.slice(from, to);
  const items = partsOf(list, 2).map(({ parts }) => objectOf(list, parts, toolCallMembers));
  return [`"tool_calls":[${items.join(',')}]`];
}

function privateTokens(body: string, { from, to }: Part, tokens: unknown): string[] {
  if (hasOnly(tokenMembers, tokens)) return [];
  const object = body.slice(from, to);
  return [`"tokens":${objectOf(object, partsOf(object, 1), tokenMembers)}`];
}

function hasOnly(names: ReadonlySet<string>, object: unknown): boolean {
  return isObject(object) && Object.keys(object).every((name) => names.has(name));
}

/** The members that are not among `named`. */
function objectOf(text: string, members: readonly Part[], named: ReadonlySet<string>): string {
  const unnamed = members.filter(({ name }) => !named.has(name)).map((member) => textOf(text, member));
  return `{${unnamed.join(',')}}`;
}

const textOf = (text: string, { start, to }: Part): string => text.slice(start, to);
