import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { openEmbedded } from '../../src/database/embedded.js';
import { until } from '../support/until.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Another process that opens the directory and, if it may, writes rows until it is killed; says each row when it is kept. */
function writer() {
  const adapter = join(packageRoot, 'dist/src/database/embedded.js');
  const script = `
    const { openEmbedded } = await import(${JSON.stringify(adapter)});
    const database = await openEmbedded(${JSON.stringify(directory)});
    await database.transaction((tx) => tx.query('create table if not exists rows (n int primary key)'));
    const [{ n }] = await database.read((tx) => tx.query('select coalesce(max(n), 0) as n from rows'));
    for (let i = n + 1; ; i += 1) {
      await database.transaction((tx) => tx.query('insert into rows values ($1)', [i]));
      console.log(i);
    }`;
  const file = join(directory, 'writer.mjs');
  writeFileSync(file, script);
  const child = spawn(process.execPath, [file]);
  let said = '';
  let complained = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  child.stderr.on('data', (data) => {
    complained += data;
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const rows = () => said.split('\n').slice(0, -1).map(Number);
  return { child, ended, rows, complaint: () => complained };
}

test('a second process is refused with a sentence, and let in after the first was killed', async () => {
  const first = writer();
  await until(() => first.rows().length > 5);
  await expect(openEmbedded(directory)).rejects.toThrow(/is in use by process \d+\. Stop it first/);
  const second = writer();
  await second.ended;
  expect(second.complaint()).toContain('DirectoryInUse');
  expect(second.rows()).toEqual([]);

  first.child.kill('SIGKILL');
  await first.ended;
  const kept = first.rows();
  const database = await openEmbedded(directory);
  const rows = await database.read((tx) => tx.query<{ n: number }>('select n from rows order by n'));
  // What was said to be kept is there; at most one row more was kept and not said.
  expect(rows.map(({ n }) => n).slice(0, kept.length)).toEqual(kept);
  expect(rows.length - kept.length).toBeLessThanOrEqual(1);
  await database.close();
});

test('closing waits for what was requested, and then nothing more is taken', async () => {
  const database = await openEmbedded(directory);
  const asked = Array.from({ length: 5 }, (_, n) => database.transaction((tx) => tx.query('select $1::int as n', [n])));
  await Promise.all([...asked, database.close(), database.close()]);
  expect(await Promise.all(asked)).toEqual([0, 1, 2, 3, 4].map((n) => [{ n }]));
  await expect(database.read((tx) => tx.query('select 1'))).rejects.toThrow();
});

test('a statement that fails while tidying leaves the session, and what it has prepared, as it was', async () => {
  const database = await openEmbedded(directory);
  const ask = () => database.transaction((tx) => tx.query<{ n: number }>('select $1::int as n', [1]));
  await database.maintain('create temporary table kept (n int)');
  await ask();
  await expect(database.maintain('vacuum nothing_of_that_name')).rejects.toThrow('does not exist');
  expect(await ask()).toEqual([{ n: 1 }]);
  expect(await database.read((tx) => tx.query('select n from kept'))).toEqual([]);
  await database.close();
});
