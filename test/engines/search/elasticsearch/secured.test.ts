import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCluster, clusterProblem } from '../../../../src/adapters/elasticsearch/check.js';
import { openCluster } from '../../../../src/adapters/elasticsearch/client.js';
import { packageRoot } from '../../../../src/base/package-root.js';
import { readConfig } from '../../../../src/settings/config.js';
import { WrongSetting } from '../../../../src/settings/wrong-setting.js';
import { eagerWorld, startService } from '../../../http/service.js';
import { until } from '../../../search/elasticsearch/cluster.js';

const port = 25_200;
const url = `https://127.0.0.1:${port}`;
const prefix = 'counterfoil';
const directory = mkdtempSync(join(tmpdir(), 'counterfoil-elasticsearch-'));
const server = (action: string) =>
  execFileSync(join(packageRoot, 'ops/engines'), [action, 'elasticsearch'], {
    env: { ...process.env, ENGINE_NAME: 'secured', ENGINE_PORT: String(port), ENGINE_SECURITY: 'on' },
    encoding: 'utf8',
    stdio: 'pipe',
  });

let certificates: string;
const file = (name: string) => join(certificates, name);
let expired: Server;
let key: string;
let lesserKey: string;
beforeAll(async () => {
  certificates = /ELASTICSEARCH_CERTIFICATES=(.+)/.exec(server('start'))?.[1] ?? '';
  key = newKey({
    cluster: ['monitor'],
    index: [{ names: [`${prefix}-memories*`], privileges: ['read', 'write', 'manage'] }],
  });
  lesserKey = newKey({ cluster: [], index: [{ names: ['others'], privileges: ['read'] }] });
  expired = createServer({ key: readFileSync(file('expired.key')), cert: readFileSync(file('expired.pem')) });
  await new Promise<void>((resolve) => expired.listen(0, '127.0.0.1', resolve));
}, 300_000);
afterAll(() => {
  expired?.close();
  server('stop');
  rmSync(directory, { recursive: true });
});

/** Asks the server as its administrator. */
function asAdmin(method: string, path: string, body?: object): string {
  const data = body ? ['-H', 'content-type: application/json', '-d', JSON.stringify(body)] : [];
  const options = ['-sS', '--cacert', file('ca.pem'), '-u', 'tests:elasticsearch-secret', '-X', method, ...data];
  return execFileSync('curl', [...options, `${url}/${path}`], { encoding: 'utf8' });
}

const newKey = (role: object): string =>
  JSON.parse(asAdmin('POST', '_security/api_key', { name: 'test', role_descriptors: { role } })).encoded;

// @covers ENG-ES-SECURE
it('is used with an API key that has the privileges of the documentation, which no log shows', async () => {
  const keyFile = join(directory, 'key');
  writeFileSync(keyFile, key, { mode: 0o600 });
  const service = await startService(
    {
      ELASTICSEARCH_URL: url,
      ELASTICSEARCH_INDEX_PREFIX: prefix,
      ELASTICSEARCH_API_KEY_FILE: keyFile,
      ELASTICSEARCH_CA_FILE: file('ca.pem'),
      SEARCH_FALLBACK: 'off',
      LOG_LEVEL: 'debug',
    },
    eagerWorld,
  );
  const search = () => service.call('POST', '/v1/memories/search', { query: 'the lighthouse' });
  const { memory_id: id } = (await service.call('POST', '/v1/memories', { content: 'the lighthouse is lit' })).json;
  await until('Elasticsearch finds it', async () => (await search()).json.data[0]?.memory_id === id, 60_000);
  const scrubbed = await service.app.maintenance.get('scrub')?.(['--search'], () => undefined);
  expect(scrubbed?.ok).toBe(true);
  expect((await service.call('GET', '/readyz')).json.warnings).toEqual([]);
  expect(service.logged.join('')).not.toContain(key);
  await service.stop();
});

describe.concurrent('Elasticsearch with TLS and API keys', () => {
  const expiredUrl = () => {
    const address = expired.address();
    return `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  };
  function clusterOf(env: Record<string, string>) {
    const all = { ELASTICSEARCH_URL: url, ELASTICSEARCH_CA_FILE: file('ca.pem'), ...env };
    const { elasticsearch } = readConfig({ DATA_DIR: directory, ...all });
    if (!elasticsearch) throw new Error('no cluster is set');
    return { cluster: openCluster(elasticsearch), url: elasticsearch.url };
  }

  // @covers ENG-ES-WRONG
  it.each([
    ['no key', () => ({}), '(401)'],
    ['an unknown key', () => ({ ELASTICSEARCH_API_KEY: 'dW5rbm93bjprZXk=' }), '(401). Set credentials'],
    ['a key without privileges', () => ({ ELASTICSEARCH_API_KEY: lesserKey }), '(403). Set credentials'],
    ['an unknown authority', () => ({ ELASTICSEARCH_CA_FILE: file('other-ca.pem') }), 'Set ELASTICSEARCH_CA_FILE'],
    ['another name', () => ({ ELASTICSEARCH_URL: url.replace('127.0.0.1', 'localhost') }), 'is for another name'],
    ['no TLS', () => ({ ELASTICSEARCH_URL: url.replace('https', 'http') }), 'Set an https address'],
  ])('does not start with %s, and says what to do', async (_, env, sentence) => {
    const { cluster, url: address } = clusterOf(env());
    const error = await checkCluster(cluster, address).catch((failure: unknown) => failure);
    await cluster.close();
    expect(error).toBeInstanceOf(WrongSetting);
    expect(String(error)).toContain(sentence);
    expect([lesserKey, 'dW5rbm93bjprZXk='].filter((secret) => String(error).includes(secret))).toEqual([]);
  });

  // @covers ENG-ES-EXPIRED
  it('starts while a certificate has expired, and says so', async () => {
    const { cluster, url: address } = clusterOf({ ELASTICSEARCH_URL: expiredUrl(), ELASTICSEARCH_API_KEY: key });
    await checkCluster(cluster, address);
    expect(await clusterProblem(cluster, 5000)).toBe(
      'The certificate of ELASTICSEARCH_URL has expired. Renew it there.',
    );
    await cluster.close();
  });
});
