import type { z } from 'zod';
import { code, table } from '../markdown.js';
import type { Json } from './example.js';
import { figurePaths } from './paths.js';

/** Longer texts of the example, such as hashes, are cut here. */
const longestText = 24;

/** The table of all values of a feed. @param example the feed of the worked example */
export function figureTable(shape: z.ZodType, example: Json): string {
  const rows = figurePaths(shape).map(({ path, meaning }) => [
    code(path),
    meaning.formula,
    meaning.unit,
    meaning.window,
    meaning.whenNull ?? 'never',
    meaning.source,
    shown(valueAt(example, path)),
  ]);
  return table(['path', 'formula', 'unit', 'window', 'null', 'source', 'in the example'], rows);
}

/**
 * The value at a path, or undefined where there is none. `[]` stands for the first row that has a value other than null, and
 * `[2]` for the third row.
 */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  const [, index, name, rest = ''] = /^(?:\[(\d*)\]|\.?([^.[]+))(.*)$/.exec(path) ?? [];
  if (index === undefined && name === undefined) return value;
  if (index === '') {
    const found = listOf(value).map((row) => valueAt(row, rest));
    return found.find((one) => one !== null && one !== undefined) ?? found[0];
  }
  return valueAt(index === undefined ? memberOf(value, name) : listOf(value)[Number(index)], rest);
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function memberOf(value: Json | undefined, name: string | undefined): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([one]) => one === name)?.[1];
}

function shown(value: Json | undefined): string {
  if (value === undefined) return 'no row';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.map((one) => shown(one)).join(', ');
  if (typeof value !== 'object') return cut(String(value));
  return 'an object';
}

const cut = (text: string) => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);
