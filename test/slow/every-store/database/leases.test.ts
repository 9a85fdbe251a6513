import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimJobs } from '../../../../projections/ingest/claims.js';
import { realWorld, type World } from '../../../../src/base/world.js';
import { createVault } from '../../../../src/commands/vault.js';
import { createWebhook } from '../../../../src/commands/webhooks.js';
import { delivering } from '../../../../src/workers/deliveries.js';
import { createLease } from '../../../../src/workers/lease.js';
import { createWorker, type Worker } from '../../../../src/workers/loop.js';
import { newStore, type Store } from '../../../maintenance/store.js';

/** The clocks of two processes on one store. */
const slow = realWorld;
const fast: World = { ...realWorld, now: () => new Date(Date.now() + 5 * 60_000) };

let store: Store;
beforeAll(async () => {
  store = await newStore();
});
afterAll(() => store.close());

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('a process whose clock is ahead takes no work from one that is at it', async () => {
  const [mine, theirs] = [realWorld.nonce(), realWorld.nonce()];
  const take = (owner: string, ms: number) => createLease(store.database, 'a job', owner, ms).take();
  expect(await take(mine, 60_000)).toBe(true);
  expect(await take(theirs, 60_000)).toBe(false);
  expect(await take(mine, 50)).toBe(true);
  await sleep(100);
  expect(await take(theirs, 60_000)).toBe(true);
});

const claim = async (world: World, owner: string, leaseMs: number) => {
  const bounds = { leaseMs, isLong: false, jobs: 10, bytes: 1000, after: null };
  const { jobs } = await store.database.transaction((tx) => claimJobs(tx, owner, world.now(), bounds));
  return jobs;
};

it('a job is taken over when its lease has run out by the clock of the database', async () => {
  const caller = await store.openWorkspace();
  await store.add(caller, 'to be made ready');
  const [mine, theirs] = [realWorld.nonce(), realWorld.nonce()];
  expect(await claim(slow, mine, 60_000)).toHaveLength(1);
  expect(await claim(fast, theirs, 60_000)).toEqual([]);
  // What it lost hold of, when its database was away, it need not wait for.
  expect(await claim(slow, mine, 50)).toHaveLength(1);
  await sleep(100);
  expect(await claim(fast, theirs, 60_000)).toHaveLength(1);
});

it('a memory is made ready at once, no matter which process took it in', async () => {
  const caller = await store.openWorkspace();
  await store.add(caller, 'of a process that is ahead');
  await store.sql(`update jobs set run_after = now() + interval '5 minutes' where stage = 'queued'`);
  const claimed = await claim(slow, realWorld.nonce(), 50);
  expect(claimed.map(({ content }) => content)).toEqual(['of a process that is ahead']);
  await sleep(100);
});

it('two processes whose clocks are five minutes apart send every delivery once', async () => {
  const caller = await store.openWorkspace();
  const hook = { agentId: `agn_${'c'.repeat(32)}`, name: null, url: new URL('https://hooks.example.org/') };
  await store.link(caller, hook.agentId);
  // Nothing is sent for a creator that does not exist.
  const [key] = await store.sql('select id::text from keys where workspace_id = $1', [caller.workspaceId]);
  const creator = { ...caller, actor: { ...caller.actor, id: String(key?.id) } };
  await store.run(
    caller.workspaceId,
    createWebhook(realWorld, creator, { ...hook, pattern: { source: 'test' }, secret: `whsec_${realWorld.nonce()}` }),
  );
  for (let i = 0; i < 40; i += 1) await store.add(caller, `notified of ${i}`);
  await store.ingest();
  const sent: string[] = [];
  const send = async ({ id }: { id: string }) => {
    sent.push(id);
    await sleep(150);
    return { statusCode: 200, error: null };
  };
  const log = pino({ level: 'silent' });
  const vault = createVault(() => undefined);
  const workers = [slow, fast].map((world) => {
    const { signal: ending } = new AbortController();
    const parts = { database: store.database, vault, world, log, send, ending, outcomes: new Map() };
    const worker: Worker = createWorker(
      { world, log },
      delivering(parts, () => worker.wake()),
    );
    worker.start();
    return worker;
  });
  for (let tries = 0; tries < 2400 && (await waiting()) > 0; tries += 1) await sleep(50);
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(sent).toHaveLength(40);
  expect(new Set(sent).size).toBe(40);
});

async function waiting(): Promise<number> {
  const [row] = await store.sql<{ n: number }>(`select count(*) as n from deliveries where state = 'pending'`);
  return row?.n ?? 0;
}
