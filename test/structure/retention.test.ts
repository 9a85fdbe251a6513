import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';

const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8');

const page = read('docs/internals/retention.md');
/** The rows of its tables: the tables of the database in the first cell, and the files in the other cells. */
const listed = [...page.matchAll(/^\| (`[a-z_`, ]+`) \|(.+)\|$/gm)].flatMap(([, names = '', rest = '']) => {
  const files = [...rest.matchAll(/`((?:src|projections)\/[^`]+\.ts)`/g)].map(([, file = '']) => file);
  return [...names.matchAll(/`([a-z_]+)`/g)].map(([, table = '']) => ({ table, files }));
});
const tables = new Set(
  [...read('test/database/schema.txt').matchAll(/^([a-z_]+)\.[a-z_]+ /gm)].map(([, name = '']) => name),
);

describe('retention', () => {
  it('is stated once for every table', () => {
    const stated = listed.map(({ table }) => table);
    const missing = [...tables].filter((table) => !stated.includes(table));
    expect(missing, 'add rows for these tables to docs/internals/retention.md').toEqual([]);
    expect(stated.filter((table) => !tables.has(table))).toEqual([]);
    expect(stated.filter((table, at) => stated.indexOf(table) !== at)).toEqual([]);
  });

  it('names files that delete from their table', () => {
    const wrong = listed.flatMap(({ table, files }) =>
      files.flatMap((file) => (deletesFrom(read(file), table) ? [] : `${file} does not delete from ${table}`)),
    );
    expect(wrong).toEqual([]);
  });
});

/** Deletes in SQL, or writes the table's name in a file that deletes from tables by their names. */
function deletesFrom(text: string, table: string): boolean {
  return (
    new RegExp(`delete from ${table}\\b`).test(text) ||
    (/delete from \$\{|removeEntries\(/.test(text) && text.includes(table))
  );
}
