import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import type { OpenedDatabase } from '../../src/database/database.js';
import { pendingMigrations } from '../../src/database/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import { requirePrepared } from '../../src/maintenance/prepare-models.js';
import { rebuildables } from '../../src/maintenance/rebuildable.js';
import { makeStoreTemplate, placeStore } from '../../src/maintenance/store-template.js';

let template = '';
let database: OpenedDatabase;
const dataDir = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));

beforeAll(async () => {
  template = await makeStoreTemplate();
  database = await openDatabase({ kind: 'embedded', dataDir, place: placeStore });
}, 120_000);

afterAll(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true });
});

it('a new store has all tables of this version before anything is done with it', async () => {
  expect(await pendingMigrations(database)).toEqual([]);
  await requirePrepared(database, rebuildables(lexicalEmbedder()));
});

it('the template holds nothing but what the version of its tables is', async () => {
  const tables = await database.read((tx) =>
    tx.query<{ name: string }>(
      "select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    ),
  );
  const filled: string[] = [];
  for (const { name } of tables) {
    const rows = await database.read((tx) => tx.query(`select 1 from ${name} limit 1`));
    if (rows.length > 0) filled.push(name);
  }
  expect(tables.length).toBeGreaterThan(80);
  expect(filled.sort()).toEqual(['public.durability', 'public.migrations', 'public.projections']);
});

/** A service runs as another user than the one that has built it. */
it('every user may read the template, none but its owner may write it, and only its owner may read a store', () => {
  const modes = (directory: string) => {
    const all = readdirSync(directory, { recursive: true, withFileTypes: true });
    return new Set(all.map((one) => `${one.isDirectory()} ${statSync(join(one.parentPath, one.name)).mode & 0o777}`));
  };
  expect(modes(template)).toEqual(new Set([`false ${0o644}`, `true ${0o755}`]));
  expect(modes(dataDir)).toEqual(new Set([`false ${0o600}`, `true ${0o700}`]));
});

it('a template that is there is used as it is', async () => {
  const made = statSync(template).mtimeMs;
  expect(await makeStoreTemplate()).toBe(template);
  expect(statSync(template).mtimeMs).toBe(made);
});
