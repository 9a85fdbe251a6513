import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { startService } from '../http/service.js';
import { databaseOn, dropDatabase, freshDatabase, onMaintenanceDatabase } from '../support/fresh-database.js';

it('a role without the rights of a scrub gets the commands that give them, which the page has too', async () => {
  const admin = await freshDatabase();
  const role = `${databaseOn(admin)}_role`;
  const asAdmin = async (sql: string) => {
    const client = new pg.Client({ connectionString: admin });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await asAdmin(
    `create extension vector; create role ${role} login; alter database ${databaseOn(admin)} owner to ${role}`,
  );
  await asAdmin(`grant all on schema public to ${role}`);
  const url = new URL(admin);
  url.username = role;
  const service = await startService({ DATABASE_URL: url.toString() });
  const scrub = async () => service.app.maintenance.get('scrub')?.([], () => undefined);
  const refused = await scrub().catch((error: Error) => error.message);
  const [, grants = ''] = /Let an administrator of the server run in this database: (.*)$/.exec(String(refused)) ?? [];
  expect(grants).toBe(`grant pg_checkpoint to ${role}; grant execute on function pg_switch_wal() to ${role}`);
  const page = readFileSync(join(packageRoot, 'docs/operating/postgresql.md'), 'utf8');
  for (const grant of grants.split('; ')) expect(page).toContain(`${grant.replace(role, 'counterfoil')};\n`);
  await asAdmin(grants);
  expect((await scrub())?.text).toContain('The files of the database hold nothing of what was deleted');
  await service.stop();
  await dropDatabase(admin);
  await onMaintenanceDatabase((query) => query(`drop role ${role}`));
});
