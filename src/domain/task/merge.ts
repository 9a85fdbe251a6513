import { type NamedTask, namedMembers } from '../../../contracts/task-receipt.js';
import { type Part, partsOf } from '../json-outline.js';

/**
 * The inverse of the split (split.ts): the JSON text of a receipt with the named members of its entry and, if they have
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
  if (!Array.isArray(value)) return objectOf(value, privateText, partsOf(privateText, 1));
  const items = partsOf(privateText, 2);
  return `[${value.map((item, at) => objectOf(item, privateText, items[at]?.parts ?? [])).join(',')}]`;
}

function objectOf(value: unknown, text: string, added: readonly Part[]): string {
  const own = JSON.stringify(value).slice(1, -1);
  const members = added.map(({ start, to }) => text.slice(start, to));
  return `{${[...(own === '' ? [] : [own]), ...members].join(',')}}`;
}
