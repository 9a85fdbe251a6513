import { partsOf } from './json-outline.js';

/** The unchanged texts of the elements of a JSON list. The list must have been read before. */
export function elementTexts(listText: string): string[] {
  return partsOf(listText, 1).map(({ from, to }) => listText.slice(from, to));
}

/** The unchanged texts of all members of a JSON object, scalars too. The object must have been read before. */
export function memberTexts(objectText: string): ReadonlyMap<string, string> {
  return new Map(partsOf(objectText, 1).map(({ name, from, to }) => [name, objectText.slice(from, to)]));
}

/** The value of a JSON text. @returns undefined for a text that is not JSON; no JSON text has this value */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON text that is inserted into an answer unchanged. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** JSON.stringify for plain values, which inserts the text of each RawJson unchanged. */
export function stringify(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => stringify(item ?? null)).join(',')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${stringify(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** The first `count` members of a JSON object, unchanged. The object must have been read before. */
export function firstMembers(objectText: string, count: number): { text: string; total: number } {
  const parts = partsOf(objectText, 1);
  if (parts.length <= count) return { text: objectText, total: parts.length };
  const members = parts
    .slice(0, count)
    .map(({ name, from, to }) => `${JSON.stringify(name)}:${objectText.slice(from, to)}`);
  return { text: `{${members.join(',')}}`, total: parts.length };
}

/** The first members of a JSON object, unchanged, that have this number of characters. The object must have been read before. */
export function firstMembersWithin(objectText: string, characters: number): string {
  if (objectText.length <= characters) return objectText;
  const parts = partsOf(objectText, 1);
  const over = parts.findIndex(({ to }) => to > characters);
  return firstMembers(objectText, over === -1 ? parts.length : over).text;
}
