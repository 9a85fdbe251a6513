import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { certificatesOf } from '../../src/adapters/certificates.js';
import { readConfig } from '../../src/settings/config.js';

const directory = mkdtempSync(join(tmpdir(), 'counterfoil-certificates-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The path of a certificate that ends after this number of days, with its key beside it. */
function certificate(name: string, days: number): string {
  const path = join(directory, `${name}.pem`);
  const key = join(directory, `${name}.key`);
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    `/CN=${name}`,
  ];
  execFileSync('openssl', [...made, '-days', String(days), '-keyout', key, '-out', path], { stdio: 'ignore' });
  return path;
}

it('shows when each certificate ends that a setting names, and nothing for a file without one', async () => {
  const day = 86_400_000;
  const authority = certificate('authority', 30);
  const given = {
    KAFKA_BROKERS: 'localhost:9092',
    KAFKA_TLS: 'on',
    KAFKA_CA_FILE: authority,
    KAFKA_CERT_FILE: certificate('client', 3),
    KAFKA_KEY_FILE: join(directory, 'client.key'),
  };
  const days = (env: Record<string, string>) =>
    Object.fromEntries(
      certificatesOf(readConfig(env)).map(({ setting, endsAt }) => [
        setting,
        Math.round((endsAt.getTime() - Date.now()) / day),
      ]),
    );
  expect(days(given)).toEqual({ KAFKA_CERT_FILE: 3, KAFKA_CA_FILE: 30 });
  const { KAFKA_KEY_FILE: key } = given;
  expect(readFileSync(key, 'utf8')).toContain('PRIVATE KEY');
  expect(days({ ELASTICSEARCH_URL: 'http://localhost', ELASTICSEARCH_CA_FILE: key })).toEqual({});
  expect(days({ DATABASE_URL: `postgres://h/d?sslmode=verify-full&sslrootcert=${authority}` })).toEqual({
    'DATABASE_URL sslrootcert': 30,
  });
  expect(days({})).toEqual({});
});
