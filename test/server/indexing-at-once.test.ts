import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { fsck } from '../../src/maintenance/fsck.js';
import { rebuildables } from '../../src/maintenance/rebuildable.js';
import { signedIn } from '../http/person.js';
import { type Service, startService } from '../http/service.js';
import { preparedDatabase } from '../support/prepared-store.js';

const owner = { email: 'ada@example.org', password: 'a password of the owner' };
const directory = mkdtempSync(join(tmpdir(), 'counterfoil-indexing-'));
let services: Service[] = [];
beforeAll(async () => {
  const env = {
    DATABASE_URL: await preparedDatabase(),
    DATA_DIR: directory,
    BASE_URL: 'http://counterfoil.test',
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: owner.password,
  };
  services = [await startService(env), await startService(env)];
}, 60_000);
afterAll(async () => {
  for (const service of services) await service.stop();
  rmSync(directory, { recursive: true, force: true });
});

// @covers JOB-AT-WRITE
it('writes of two processes and a worker make the first rows of a namespace at once', {
  timeout: 300_000,
}, async () => {
  const [here = expect.fail(), there = expect.fail()] = services;
  const headers = { cookie: (await signedIn(here, owner)).cookie() };
  const long = (name: string) => `${name} the whole log of the harbour ${'one more crate on the quay, '.repeat(160)}`;
  for (let round = 0; round < 8; round += 1) {
    const { json } = await here.call('POST', '/v1/namespaces', { name: `round ${round}` }, headers);
    const write = (on: Service, content: string) =>
      on.call('POST', '/v1/memories', { content, namespace: json.id }, headers);
    const written = await Promise.all([
      write(here, long(`first${round}`)),
      ...[0, 1, 2, 3].map((n) => write(n % 2 ? here : there, `short${round}x${n} beside the long one`)),
      write(there, long(`second${round}`)),
    ]);
    expect(written.map(({ status }) => status)).toEqual(written.map(() => 202));
    for (const n of [0, 1, 2, 3]) {
      const { json: job } = await here.call('GET', `/v1/ingest/${written[n + 1]?.json.job_id}`, undefined, headers);
      expect(Object.keys(job.stage_timestamps).toSorted()).toEqual(['done', 'queued']);
      const { json: found } = await here.call('POST', '/v1/memories/search', { query: `short${round}x${n}` }, headers);
      expect(found.data[0]?.memory_id).toBe(written[n + 1]?.json.memory_id);
    }
  }
  await here.settled();
  const { faults } = await fsck(here.app.database, rebuildables(lexicalEmbedder()), { onProgress: () => undefined });
  expect(faults).toBeNull();
});
