import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { code, owner } from '../http/people.js';
import { type Person, signedIn } from '../http/person.js';
import { type Service, startService } from '../http/service.js';
import { preparedDatabase } from '../support/prepared-store.js';

const jobs = '/v1/operations/jobs';
const fsck = '/v1/operations/fsck';

const directory = mkdtempSync(join(tmpdir(), 'counterfoil-operation-jobs-'));
let shared: Record<string, string>;
let front: Service;
let back: Service;
let atFront: Person;
let atBack: Person;

beforeAll(async () => {
  const credentials = { OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password };
  shared = { DATABASE_URL: await preparedDatabase(), DATA_DIR: directory, ...credentials };
  front = await startService({ ...shared, ROLES: 'http' });
  back = await startService({ ...shared, ROLES: 'http,ingest' });
  [atFront, atBack] = [await signedIn(front, owner), await signedIn(back, owner)];
});
afterAll(async () => {
  await back.stop();
  await front.stop();
  rmSync(directory, { recursive: true, force: true });
});

const stateAt = async (who: Person, id: string) => (await who.call('GET', `${jobs}/${id}`)).json.state;

it('a job waits for a process with the role upkeep, is seen by every process, and is the only one of its kind', async () => {
  const { json } = await atFront.call('POST', fsck, {});
  expect([await stateAt(atFront, json.job_id), await stateAt(atBack, json.job_id)]).toEqual(['queued', 'queued']);
  const second = await atBack.call('POST', fsck, {});
  expect([...code(second), second.json.error.details.job_id]).toEqual([409, 'operation_running', json.job_id]);
  const upkeep = await startService({ ...shared, ROLES: 'upkeep' });
  for (const who of [atFront, atBack]) await expect.poll(() => stateAt(who, json.job_id)).toBe('done');
  await upkeep.stop();
});

it('of several processes that start one at once, one does', async () => {
  const started = await Promise.all(
    [atFront, atBack, atFront, atBack].map((who) => who.call('POST', '/v1/operations/replay', {})),
  );
  expect(started.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409]);
  const upkeeps = [
    await startService({ ...shared, ROLES: 'upkeep' }),
    await startService({ ...shared, ROLES: 'upkeep' }),
  ];
  const [id] = started.flatMap(({ json }) => json.job_id ?? []);
  await expect.poll(() => stateAt(atFront, id), { timeout: 60_000 }).toBe('done');
  for (const one of upkeeps) await one.stop();
});

it('a job that its process does not renew is interrupted for every process, and can be started again', async () => {
  const { json } = await atFront.call('POST', fsck, {});
  // As a process leaves it that was killed a while ago.
  await front.app.database.transaction((tx) =>
    tx.query(
      `update operation_jobs set state = 'running', started_at = now() - interval '1 minute', owner = gen_random_uuid(),
              until = now() - interval '1 second' where job_id = $1`,
      [json.job_id],
    ),
  );
  for (const who of [atFront, atBack]) {
    const { state, ended_at, failure_reason } = (await who.call('GET', `${jobs}/${json.job_id}`)).json;
    expect([state, ended_at !== null, failure_reason]).toEqual([
      'interrupted',
      true,
      'The process that carried it out is gone.',
    ]);
  }
  const again = await atBack.call('POST', fsck, {});
  expect(again.status).toBe(202);
  const upkeep = await startService({ ...shared, ROLES: 'upkeep' });
  await expect.poll(() => stateAt(atFront, again.json.job_id)).toBe('done');
  expect(await stateAt(atFront, json.job_id)).toBe('interrupted');
  await upkeep.stop();
});
