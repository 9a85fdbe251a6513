import { partsOf } from '../../base/json-outline.js';

/**
 * The text of an object of JSON with other members. Those that stay keep every character of what was sent.
 * @param changes the text of each member that is replaced or added
 * @param renamed the names that members get instead of theirs
 */
export function changedMembers(
  text: string,
  changes: Readonly<Record<string, string>>,
  renamed: Readonly<Record<string, string>> = {},
): string {
  const kept = partsOf(text, 1)
    .filter(({ name }) => !Object.hasOwn(changes, name))
    .map(({ name, from, to }) => [Object.hasOwn(renamed, name) ? (renamed[name] ?? name) : name, text.slice(from, to)]);
  const all = [...kept, ...Object.entries(changes)];
  return `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}
