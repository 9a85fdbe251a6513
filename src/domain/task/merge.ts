import { type NamedTask, namedMembers } from '../../../contracts/task-receipt.js';
import { type Part, partsOf } from '../json-outline.js';

/**
 * The inverse of the split (split.ts): the JSON text of a receipt with the named members of its entry and, if they have
 * not been erased, its private members. Named members come first and in the order of the schema; private members have
 * the spelling and the order in which they were sent.
 */
export function mergeTask(task: NamedTask, privateText: string | null): string {
  const unnamed = privateText === null ? [] : partsOf(privateText, 3);
  const text = privateText ?? '';
  const values: ReadonlyMap<string, unknown> = new Map(Object.entries(task));
  const named = [...namedMembers].flatMap((name) => {
    const value = values.get(name);
    if (value === undefined) return [];
    const added = nested.has(name) ? unnamed.find((part) => part.name === name) : undefined;
    return [`${JSON.stringify(name)}:${added ? withMembers(value, text, added) : JSON.stringify(value)}`];
  });
  const others = unnamed.filter(({ name }) => !nested.has(name)).map(({ start, to }) => text.slice(start, to));
  return `{${[...named, ...others].join(',')}}`;
}

/** Named members that have private members of their own. */
const nested: ReadonlySet<string> = new Set(['tool_calls', 'tokens']);

/** A list or an object of the entry, with the private members that `added` has for it or for its items. */
function withMembers(value: unknown, text: string, added: Part): string {
  if (Array.isArray(value)) {
    return `[${value.map((item, at) => withMembers(item, text, added.parts[at] ?? nothing)).join(',')}]`;
  }
  const own = JSON.stringify(value).slice(1, -1);
  const members = added.parts.map(({ start, to }) => text.slice(start, to));
  return `{${[...(own === '' ? [] : [own]), ...members].join(',')}}`;
}

const nothing: Part = { name: '', start: 0, from: 0, to: 0, values: 0, depth: 0, parts: [] };
