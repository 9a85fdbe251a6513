import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Service, start } from '../../faults/service-process.js';
import { quickStore } from '../../support/prepared-store.js';

const email = 'owner@example.org';
const password = 'a password of the owner';
const jobs = '/v1/operations/jobs';

/** Calls in the name of the owner, who is an operator. */
async function operatorOf({ origin }: Service) {
  const signIn = await fetch(`${origin}/v1/session`, { method: 'POST', body: JSON.stringify({ email, password }) });
  const [cookie = ''] = signIn.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  return async (method: string, path: string, body?: object) => {
    const init = { method, headers: { cookie }, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${origin}${path}`, init);
    return { status: answer.status, json: JSON.parse(await answer.text()) };
  };
}

it('a job whose process is killed is found as interrupted, everything is served, and it can be started again', async () => {
  const directory = await quickStore();
  const env = { DATA_DIR: directory, PORT: '0', OTS_CALENDARS: 'off', RATE_LIMITS: 'off', LOG_LEVEL: 'error' };
  let service = await start({ ...env, OWNER_EMAIL: email, OWNER_PASSWORD: password });
  let call = await operatorOf(service);
  const memories = Array.from({ length: 500 }, (_, n) => ({ content: `The heron number ${n} waits in the reeds.` }));
  const written = await call('POST', '/v1/memories/batch', { memories });
  expect([written.status, written.json.written]).toEqual([200, 500]);
  const again = async () => {
    service = await start(env);
    call = await operatorOf(service);
  };
  /** A job that ends is looked at seldom, because the looks keep it from ending. */
  const reached = async (
    id: string,
    state: (job: { state: string; ended_at: string | null }) => boolean,
    everyMs = 100,
  ) => {
    for (;;) {
      const { json } = await call('GET', `${jobs}/${id}`);
      if (state(json)) return json;
      await pause(everyMs);
    }
  };
  for (const kind of ['fsck', 'replay']) {
    for (const delayMs of [0, 400]) {
      const { json: started } = await call('POST', `/v1/operations/${kind}`, {});
      await reached(started.job_id, ({ state }) => state !== 'queued', 10);
      await pause(delayMs);
      await service.kill();
      await again();
      const { state, ended_at, failure_reason } = await reached(started.job_id, (job) => job.ended_at !== null);
      // It may have ended before the second kill.
      if (delayMs === 0 || state !== 'done')
        expect([state, ended_at === null, failure_reason]).toEqual([
          'interrupted',
          false,
          'The process that carried it out is gone.',
        ]);
      const second = await call('POST', `/v1/operations/${kind}`, {});
      expect(second.status).toBe(202);
      expect(await reached(second.json.job_id, (job) => job.ended_at !== null)).toMatchObject({ state: 'done' });
    }
  }
  const check = await call('POST', '/v1/operations/fsck', {});
  const sound = await reached(check.json.job_id, (job) => job.ended_at !== null);
  expect([sound.state, sound.fault_count, sound.faults]).toEqual(['done', 0, []]);
  expect((await call('GET', '/v1/usage')).json.memories.used).toBe(500);
  // A stop ends a job in order, long before it would be killed.
  const last = await call('POST', '/v1/operations/fsck', {});
  await reached(last.json.job_id, ({ state }) => state !== 'queued', 10);
  await service.stop();
  expect(service.exitCode()).toBe(0);
  await again();
  const stopped = await reached(last.json.job_id, (job) => job.ended_at !== null);
  expect([stopped.state, stopped.failure_reason]).toEqual([
    'interrupted',
    'The process that carried it out was stopped.',
  ]);
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
});
