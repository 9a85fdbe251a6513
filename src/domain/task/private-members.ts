import { marketSchema } from '../../../contracts/market.js';
import { tokenMembers, toolCallMembers } from '../../../contracts/submitted-receipt.js';
import { type NamedTask, namedMembers } from '../../../contracts/task-receipt.js';
import { type Part, partsOf } from '../../base/json-outline.js';
import { isObject } from '../../base/json-text.js';
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
  const items = partsOf(list, 2).map(({ parts }) => withoutNamed(list, parts, toolCallMembers));
  return [`"tool_calls":[${items.join(',')}]`];
}

function privateTokens(body: string, { from, to }: Part, tokens: unknown): string[] {
  if (hasOnly(tokenMembers, tokens)) return [];
  const object = body.slice(from, to);
  return [`"tokens":${withoutNamed(object, partsOf(object, 1), tokenMembers)}`];
}

function hasOnly(names: ReadonlySet<string>, object: unknown): boolean {
  return isObject(object) && Object.keys(object).every((name) => names.has(name));
}

/** The members that are not among `named`. */
function withoutNamed(text: string, members: readonly Part[], named: ReadonlySet<string>): string {
  const unnamed = members.filter(({ name }) => !named.has(name)).map((member) => textOf(text, member));
  return `{${unnamed.join(',')}}`;
}

const textOf = (text: string, { start, to }: Part): string => text.slice(start, to);

/**
 * The inverse of `privateTextOf`: the JSON text of a receipt with the named members of its entry and, if they have
 * not been erased, its private members. Named members come first and in the order of the schema; private members have
 * the spelling and the order in which they were sent.
 */
export function mergeTask(task: NamedTask, privateText: string | null): string {
  const text = privateText ?? '{}';
  const unnamed = partsOf(text, 1);
  const values: ReadonlyMap<string, unknown> = new Map(Object.entries(task));
  const named = [...namedMembers].flatMap((name) => {
    const value = values.get(name);
    if (value === undefined) return [];
    const added = nested.has(name) ? unnamed.find((part) => part.name === name) : undefined;
    const merged = added ? withMembers(value, text.slice(added.from, added.to)) : JSON.stringify(value);
    return [`${JSON.stringify(name)}:${merged}`];
  });
  const others = unnamed.filter(({ name }) => !nested.has(name)).map(({ start, to }) => text.slice(start, to));
  return `{${[...named, ...others].join(',')}}`;
}

/** Named members that have private members of their own. */
const nested: ReadonlySet<string> = new Set(['tool_calls', 'tokens']);

/** A list or an object of the entry, with the members that the private text has for its items or for itself. */
function withMembers(value: unknown, privateText: string): string {
  if (!Array.isArray(value)) return withAdded(value, privateText, partsOf(privateText, 1));
  const items = partsOf(privateText, 2);
  return `[${value.map((item, at) => withAdded(item, privateText, items[at]?.parts ?? [])).join(',')}]`;
}

function withAdded(value: unknown, text: string, added: readonly Part[]): string {
  const own = JSON.stringify(value).slice(1, -1);
  const members = added.map(({ start, to }) => text.slice(start, to));
  return `{${[...(own === '' ? [] : [own]), ...members].join(',')}}`;
}
