import { canonical } from '../canonical.js';
import type { Json, JsonObject } from '../json.js';
import { cut, orNone, plain, type Row } from '../rows.js';

/** So that a body that was made to be long does not push the claims out of sight. */
const mostRows = 40;

const commitmentEnd = '_commitment';

/** The members of a body that have no form of their own, each as it is, and a sentence for what is only committed to. */
export function bodyRows(body: JsonObject, texts: readonly string[]): Row[] {
  const members = Object.entries(body).filter(([name, value]) => {
    if (!name.endsWith(commitmentEnd)) return true;
    // Rows about content, metadata and source say this in their own way.
    return value !== null && !texts.includes(name.slice(0, -commitmentEnd.length));
  });
  const more = members.length - mostRows;
  const rows = members.slice(0, mostRows).map(rowOf);
  return more <= 0 ? rows : [...rows, { name: 'More', values: [`and ${more} more members`] }];
}

function rowOf([name, value]: [string, Json]): Row {
  if (!name.endsWith(commitmentEnd)) return { name: titleOf(name), values: linesOf(value) };
  const hidden = name.slice(0, -commitmentEnd.length);
  return { name: titleOf(hidden), values: ['not in the entry, which only commits to it'] };
}

/** `memory_id` is shown as `Memory`, and `content_bytes` as `Content bytes`. */
function titleOf(name: string): string {
  const words = plain(name, 40)
    .replace(/_ids?$/, '')
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function linesOf(value: Json): readonly string[] {
  if (Array.isArray(value)) return orNone(cut(value, textOf));
  return [textOf(value)];
}

function textOf(value: Json): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return plain(canonical(value));
  return plain(String(value));
}
