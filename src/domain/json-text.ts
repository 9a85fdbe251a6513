import { type JSONVisitor, visit } from 'jsonc-parser';
import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';

/** A parsed JSON object with the text each of its own members was written as. */
export interface JsonObject {
  readonly value: Readonly<Record<string, unknown>>;
  /** Member name → the exact text of its value, so that numbers and key order survive. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Reads a JSON object strictly: no duplicate keys at any level, at most `deepest` levels.
 * JSON.parse decides what JSON is; the walk after it sees what JSON.parse forgets: repeated keys, source text, depth.
 * @throws Refusal invalid_json
 */
export function readJsonObject(text: string, deepest: number = limits.jsonDepth): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json', 'The body is not JSON.');
  }
  if (!isObject(value)) throw new Refusal('invalid_json', 'The body must be a JSON object.');
  return { value, texts: memberTexts(text, deepest) };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function memberTexts(text: string, deepest: number): Map<string, string> {
  const texts = new Map<string, string>();
  const keys: Set<string>[] = [];
  let depth = 0;
  let member: { name: string; from: number } | null = null;
  const enter = () => {
    depth += 1;
    if (depth > deepest) throw new Refusal('invalid_json', `The body is nested deeper than ${deepest}.`);
  };
  const endOfValue = (end: number) => {
    if (depth !== 1 || member === null) return;
    texts.set(member.name, text.slice(member.from, end));
    member = null;
  };
  const visitor: JSONVisitor = {
    onObjectBegin(offset) {
      if (depth === 1 && member) member.from = offset;
      enter();
      keys.push(new Set());
    },
    onObjectEnd(offset, length) {
      keys.pop();
      depth -= 1;
      endOfValue(offset + length);
    },
    onArrayBegin(offset) {
      if (depth === 1 && member) member.from = offset;
      enter();
    },
    onArrayEnd(offset, length) {
      depth -= 1;
      endOfValue(offset + length);
    },
    onObjectProperty(name, offset, length) {
      const seen = keys.at(-1);
      // Two parsers may disagree on which of two equal keys counts, and one of them may be the auditor's.
      if (seen?.has(name)) throw new Refusal('invalid_json', 'The body has the same key twice in one object.');
      seen?.add(name);
      if (depth === 1) member = { name, from: offset + length };
    },
    onLiteralValue(_value, offset, length) {
      if (depth === 1 && member) member.from = offset;
      endOfValue(offset + length);
    },
  };
  visit(text, visitor, { disallowComments: true });
  return texts;
}

/** The texts of the elements of a JSON list that has been read before, each as it was written. */
export function elementTexts(listText: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let from = 0;
  const begin = (offset: number) => {
    if (depth === 1) from = offset;
    depth += 1;
  };
  const end = (offset: number, length: number) => {
    depth -= 1;
    if (depth === 1) elements.push(listText.slice(from, offset + length));
  };
  const visitor: JSONVisitor = {
    onObjectBegin: begin,
    onObjectEnd: end,
    onArrayBegin: begin,
    onArrayEnd: end,
    onLiteralValue(_value, offset, length) {
      if (depth === 1) elements.push(listText.slice(offset, offset + length));
    },
  };
  visit(listText, visitor, { disallowComments: true });
  return elements;
}

/** JSON that is already text, to stand in an answer exactly as it is. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** JSON.stringify for plain answers in which a RawJson keeps its text. */
export function stringify(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => stringify(item ?? null)).join(',')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${stringify(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** The first `count` members of a JSON object, each as it was written. */
export function firstMembers(objectText: string, count: number): { text: string; total: number } {
  const { texts } = readJsonObject(objectText);
  if (texts.size <= count) return { text: objectText, total: texts.size };
  const kept = [...texts].slice(0, count).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return { text: `{${kept.join(',')}}`, total: texts.size };
}
