import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { realWorld } from '../../../src/base/world.js';
import { recordInLog } from '../../../src/commands/record-in-log.js';
import { signingParts } from '../../../src/tlog/log.js';
import { createSigning } from '../../../src/workers/signing.js';
import { openLog } from '../../maintenance/log-store.js';
import { newStore, type Store } from '../../maintenance/store.js';

let store: Store;
beforeAll(async () => {
  store = await newStore();
});
afterAll(() => store.close());

/** The watch of a process that may sign, and the naps between its looks, which take no time here. */
async function signer() {
  const naps: number[] = [];
  const log = openLog(store);
  await log.checkpoint();
  const { database, run } = store;
  const { job } = createSigning({
    database,
    world: { ...realWorld, sleep: async (ms) => void naps.push(ms) },
    log: pino({ level: 'silent' }),
    owner: randomUUID(),
    signing: signingParts({ database, record: recordInLog(run, realWorld), keys: log.keys }),
    transparencyLog: log,
    takeOver: async () => false,
  });
  const stopping = new AbortController();
  return { naps, look: () => job.work(stopping.signal), stop: () => stopping.abort() };
}

const other = randomUUID();
const joins = () => store.sql(`insert into role_holders values ('http', $1, now() + interval '30 seconds')`, [other]);
const asks = () => store.sql('insert into signing_requests values ($1, now())', [randomUUID()]);
const requests = () => store.sql('select 1 from signing_requests');

it('looks once a second for requests of others while it is alone, and five times once another process is there', async () => {
  const { naps, look } = await signer();
  for (let looks = 0; looks < 3; looks += 1) expect(await look()).toBe(false);
  expect(naps).toEqual([800, 800]);
  await joins();
  await asks();
  // The nap has passed when it learns that it is not alone, and the request is answered in the same step.
  expect(await look()).toBe(true);
  expect(await requests()).toEqual([]);
  expect(naps).toHaveLength(3);
  for (let looks = 0; looks < 3; looks += 1) expect(await look()).toBe(false);
  expect(naps).toHaveLength(3);
});

it('looks once a second again when the other process is gone', async () => {
  await store.sql('delete from role_holders');
  await joins();
  const { naps, look } = await signer();
  await look();
  await look();
  expect(naps).toEqual([]);
  await store.sql(`update role_holders set until = now() - interval '1 second'`);
  await look();
  await look();
  expect(naps).toEqual([800]);
});

it('does not look any more when it is stopped in a nap', async () => {
  const { look, stop } = await signer();
  await store.sql('delete from role_holders');
  await look();
  await look();
  await asks();
  stop();
  expect(await look()).toBe(false);
  expect(await requests()).toHaveLength(1);
});
