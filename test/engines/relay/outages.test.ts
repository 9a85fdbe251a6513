import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { relayHealth } from '../../../src/workers/relay/health.js';
import { medianAndWorst } from '../../faults/figures.js';
import { newStore, type Store } from '../../maintenance/store.js';
import { startRelay, until } from '../../relay/process.js';
import { expectWhole } from '../../relay/whole.js';
import { repeats } from '../../support/repeats.js';

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
        await pause(20);
      }
    }),
  );
  await work();
  isOver = true;
  await writing;
}

// @covers RELAY-OUTAGE
it('loses nothing when the broker is killed, paused or slow under load, or the process ends', async () => {
  const topic = `relay-outages-${randomUUID()}`;
  let relay = await startRelay(store, brokers, topic);
  const faults: Readonly<Record<string, () => Promise<void>>> = {
    async killed() {
      await broker('kill');
      await pause(500);
      await broker('start');
    },
    paused: () => pauseBroker(500),
    /** It runs for a quarter of the time. */
    async slow() {
      for (let i = 0; i < 8; i += 1) {
        await pauseBroker(150);
        await pause(50);
      }
    },
    async restarted() {
      await relay.stop();
      relay = await startRelay(store, brokers, topic);
    },
  };
  for (const [name, strike] of Object.entries(faults)) {
    const recoveries: number[] = [];
    for (let i = 0; i < repeats('BROKER_KILLS'); i += 1) {
      await underLoad(async () => {
        await pause(300);
        await strike();
      });
      recoveries.push(await until(async () => (await lag()) === 0, 120_000));
    }
    console.log(`${recoveries.length} × ${name}: all entries are sent after ${medianAndWorst(recoveries)}`);
  }
  await relay.stop();
  await expectWhole(store.database, brokers, topic);
});

async function pauseBroker(ms: number): Promise<void> {
  await broker('pause');
  await pause(ms);
  await broker('resume');
}
