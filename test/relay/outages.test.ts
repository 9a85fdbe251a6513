// @projects engines
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, it } from 'vitest';
import { packageRoot } from '../../src/package-root.js';
import { relayHealth } from '../../src/workers/relay/health.js';
import { newStore, type Store } from '../maintenance/store.js';
import { repeats } from '../repeats.js';
import { startRelay, until } from './process.js';
import { expectWhole } from './whole.js';

/** A broker of this test's own, which is killed and paused. */
const env = { ...process.env, ENGINE_NAME: 'relay-outages', ENGINE_PORT: '23092' };
/** The writes continue meanwhile. */
const broker = (action: string) => promisify(execFile)(join(packageRoot, 'ops/engines'), [action, 'kafka'], { env });
const brokers = '127.0.0.1:23092';
let store: Store;
beforeAll(async () => {
  store = await newStore();
  await broker('start');
});
afterAll(async () => {
  await store.close();
  await broker('stop');
});

const lag = async () => (await store.database.read((tx) => relayHealth(tx, 'entries'))).lags.get('relay')?.entries;

/** Writes to some workspaces until it is stopped. */
async function underLoad(work: () => Promise<void>): Promise<void> {
  const callers = [await store.openWorkspace(), await store.openWorkspace(), await store.openWorkspace()];
  let isOver = false;
  const writing = Promise.all(
    callers.map(async (caller) => {
      for (let i = 0; !isOver; i += 1) {
        await store.add(caller, `text ${i}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }),
  );
  await work();
  isOver = true;
  await writing;
}

// @covers RELAY-OUTAGE
it('loses nothing when the broker is killed or paused under load, or the process ends', async () => {
  const topic = `relay-outages-${randomUUID()}`;
  let relay = await startRelay(store, brokers, topic);
  const recoveries: number[] = [];
  for (let i = 0; i < repeats('BROKER_KILLS'); i += 1) {
    await underLoad(async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const action = ['kill', 'pause'][i % 3];
      if (action === undefined) {
        await relay.stop();
        relay = await startRelay(store, brokers, topic);
      } else {
        await broker(action);
        await new Promise((resolve) => setTimeout(resolve, 500));
        await broker(action === 'kill' ? 'start' : 'resume');
      }
    });
    recoveries.push(Math.round(await until(async () => (await lag()) === 0, 120_000)));
  }
  await relay.stop();
  if (process.env.LONG) console.log(`recovered after ${recoveries.join(', ')} ms`);
  await expectWhole(store.database, brokers, topic);
});
