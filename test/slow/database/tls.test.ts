import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { explained } from '../../../src/cli/start-faults.js';
import { openDatabase } from '../../../src/database/open.js';
import { readConfig } from '../../../src/settings/config.js';
import { freePort } from '../../faults/free-port.js';
import { type OwnPostgres, ownPostgres } from '../../faults/postgres.js';

let directory: string;
let server: OwnPostgres;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'counterfoil-tls-'));
  execFileSync('ops/servers/certificates.sh', [directory]);
  server = await ownPostgres(await freePort());
});
afterAll(async () => {
  await server.remove();
  rmSync(directory, { recursive: true, force: true });
});

const at = (name: string) => join(directory, name);

async function serveWith(certificate: string | null): Promise<void> {
  const data = join(server.directory, 'data');
  for (const kind of certificate === null ? [] : ['pem', 'key']) {
    const path = join(data, `server.${kind}`);
    copyFileSync(at(`${certificate}.${kind}`), path);
    execFileSync('chown', ['postgres', path]);
    execFileSync('chmod', ['600', path]);
  }
  const psql = (sql: string) => execFileSync('psql', [server.url, '-qc', sql], { stdio: 'ignore' });
  psql(`alter system set ssl = ${certificate === null ? 'off' : 'on'}`);
  psql(`alter system set ssl_cert_file = 'server.pem'`);
  psql(`alter system set ssl_key_file = 'server.key'`);
  await server.restart(0);
}

/** Whether the connection is encrypted, or the sentence of a start. */
async function connected(query: string, host = '127.0.0.1'): Promise<boolean | string> {
  const url = `${server.url.replace('127.0.0.1', host)}?${query}`;
  const config = readConfig({ DATABASE_URL: url });
  try {
    const store = await explained(config, 'DATABASE_URL', () => openDatabase({ kind: 'server', url }));
    const [row] = await store.prompt.read((tx) =>
      tx.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()'),
    );
    await store.close();
    return row?.ssl ?? 'unknown';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

it('sslmode means what it means to libpq', async () => {
  await serveWith('server');
  const ca = `sslrootcert=${at('ca.pem')}`;
  const other = `sslrootcert=${at('other-ca.pem')}`;
  expect(await connected('sslmode=disable')).toBe(false);
  expect(await connected('sslmode=require')).toBe(true);
  expect(await connected(`sslmode=verify-ca&${ca}`)).toBe(true);
  expect(await connected(`sslmode=verify-full&${ca}`)).toBe(true);
  expect(await connected(`sslmode=verify-ca&${ca}`, 'localhost')).toBe(true);
  expect(await connected(`sslmode=require&sslcert=${at('client.pem')}&sslkey=${at('client.key')}`)).toBe(true);
  expect(await connected(`sslmode=verify-full&${ca}`, 'localhost')).toMatch(
    /certificate for another name: .*verify-ca/,
  );
  const unknown = /has a certificate of an authority that is not known here: .*sslrootcert/;
  expect(await connected('sslmode=verify-full')).toMatch(unknown);
  for (const mode of ['require', 'verify-ca', 'verify-full']) {
    expect(await connected(`sslmode=${mode}&${other}`)).toMatch(unknown);
  }
  expect(await connected(`host=${server.directory}&sslmode=verify-full`)).toBe(false);
});

it('nothing is sent without encryption to a server that has none', async () => {
  await serveWith(null);
  for (const mode of ['require', 'verify-full']) {
    expect(await connected(`sslmode=${mode}`)).toMatch(/does not support SSL connections/);
  }
  expect(await connected('sslmode=disable')).toBe(false);
});
