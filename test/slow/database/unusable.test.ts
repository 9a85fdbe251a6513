import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEmbedded } from '../../../src/database/embedded.js';
import { program } from '../../faults/service-process.js';

const run = promisify(execFile);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('a data directory that cannot hold a store is refused with a sentence', async () => {
  const file = join(directory, 'file');
  writeFileSync(file, '');
  await expect(openEmbedded(file)).rejects.toThrow(/is a file and not a directory\. Set DATA_DIR/);
  await expect(openEmbedded(join(file, 'below'))).rejects.toThrow(/cannot be made .*ENOTDIR.* Set DATA_DIR/);
  // Node's own recursive mkdir never comes back from there.
  await expect(openEmbedded('/proc/counterfoil/data')).rejects.toThrow(/keeps no files\. Set DATA_DIR/);
  await expect(openEmbedded('/proc/self')).rejects.toThrow(/Set DATA_DIR to a directory on a local disk/);
});

test('checks of a store that a newer version has used say so and end', { timeout: 300_000 }, async () => {
  const database = await openEmbedded(directory);
  await database.transaction(async (tx) => {
    await tx.query('create table migrations (name text primary key, checksum text not null)');
    await tx.query(`insert into migrations values ('9999_later.sql', 'of a later version')`);
  });
  await database.close();
  const options = { env: { PATH: process.env.PATH ?? '', DATA_DIR: directory }, timeout: 170_000 };
  for (const command of ['fsck', 'replay', 'scrub']) {
    const ended = await run(process.execPath, [...program, command], options).catch((error) => error);
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('The database has 9999_later.sql, which this version does not know.'),
    });
  }
});
