import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { type Service, startService } from '../../http/service.js';
import { type EventStoreServer, startEventStore } from '../../support/eventstore-server/server.js';
import { preparedDirectory } from '../../support/prepared-store.js';

const certificates = mkdtempSync(join(tmpdir(), 'counterfoil-certificates-'));
const file = (name: string) => join(certificates, name);
const password = 's@cret/word';
let server: EventStoreServer;
beforeAll(async () => {
  execFileSync(join(packageRoot, 'ops/servers/certificates.sh'), [certificates]);
  const tls = { key: readFileSync(file('server.key')), certificate: readFileSync(file('server.pem')) };
  server = await startEventStore({ tls, credentials: `someone:${password}` });
});
afterAll(async () => {
  await server.stop();
  rmSync(certificates, { recursive: true });
});

/** A service on a store of its own, whose ledger is on the server by TLS. */
async function starting(given: string, authority: string, scheme = 'esdb'): Promise<Service> {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
  await preparedDirectory(directory);
  const url = `${scheme}://someone:${encodeURIComponent(given)}@127.0.0.1:${server.port}?tls=true&tlsCAFile=${file(authority)}`;
  return startService({
    DATA_DIR: directory,
    EVENTSTORE_URL: url,
    EVENTSTORE_PREFIX: `by-${scheme.length}`,
    LOG_LEVEL: 'debug',
  });
}

// @covers ENG-ESDB-SECURE
it.each(['esdb', 'esdb+discover'])('takes memories by TLS with %s, and never logs the password', async (scheme) => {
  const service = await starting(password, 'ca.pem', scheme);
  expect((await service.call('POST', '/v1/memories', { content: `by ${scheme}` })).status).toBe(202);
  expect((await service.call('GET', '/readyz')).status).toBe(200);
  expect(service.logged.join('')).not.toMatch(/s@cret|s%40cret/);
  await service.stop();
});

// @covers ENG-ESDB-WRONG
it.each([
  ['a wrong password', 'another/w@rd', 'ca.pem', /refuses the credentials of EVENTSTORE_URL[^\n]*\.$/],
  ['an unknown authority', password, 'other-ca.pem', /set tlsCAFile[^\n]*\.$/],
])('does not start with %s, and says what to do', async (_, given, authority, sentence) => {
  const error = await starting(given, authority).catch((failure: unknown) => failure);
  expect(String(error)).toMatch(sentence);
  expect(String(error)).not.toMatch(/s@cret|s%40cret|w@rd|w%40rd/);
});
