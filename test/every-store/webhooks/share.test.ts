import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { realWorld } from '../../../src/base/world.js';
import { createVault } from '../../../src/commands/vault.js';
import { createWebhook } from '../../../src/commands/webhooks.js';
import { delivering } from '../../../src/workers/deliveries.js';
import { createWorker, type Worker } from '../../../src/workers/loop.js';
import type { Send } from '../../../src/workers/send.js';
import { newStore, type Store } from '../../maintenance/store.js';

let store: Store;
beforeAll(async () => {
  store = await newStore();
});
afterAll(() => store.close());

/** A workspace with webhooks at this host, and a memory for all of them. */
async function listening(host: string, webhooks: number, letter: string): Promise<void> {
  const caller = await store.openWorkspace();
  const agentId = `agn_${letter.repeat(32)}`;
  await store.link(caller, agentId);
  const [key] = await store.sql('select id::text from keys where workspace_id = $1', [caller.workspaceId]);
  const creator = { ...caller, actor: { ...caller.actor, id: String(key?.id) } };
  for (let n = 0; n < webhooks; n += 1) {
    const hook = { agentId, name: null, url: new URL(`https://${host}/${n}`), pattern: { source: 'test' } };
    const command = createWebhook(realWorld, creator, { ...hook, secret: `whsec_${realWorld.nonce()}` });
    await store.run(caller.workspaceId, command);
  }
  for (let n = 0; n < 4; n += 1) await store.add(caller, `for ${host} ${n}`);
  await store.ingest();
}

it('receivers of one workspace that do not answer leave places for the deliveries of another one', async () => {
  await listening('hangs.example.org', 20, 'a');
  await listening('answers.example.org', 1, 'b');
  const begun: string[] = [];
  const hanging = new AbortController();
  const send: Send = async (delivery) => {
    const { host } = new URL(JSON.parse(delivery.content).url);
    begun.push(host);
    if (host.startsWith('answers')) return { statusCode: 200, error: null };
    // A delivery that begins behind the end of the hanging would wait for it forever.
    if (!hanging.signal.aborted)
      await new Promise<void>((resolve) => hanging.signal.addEventListener('abort', () => resolve()));
    return { statusCode: null, error: 'it did not answer' };
  };
  const log = pino({ level: 'silent' });
  const { signal: ending } = new AbortController();
  const vault = createVault(() => undefined);
  const parts = { database: store.database, vault, world: realWorld, log, send, ending, outcomes: new Map() };
  const worker: Worker = createWorker(
    { world: realWorld, log },
    delivering(parts, () => worker.wake()),
  );
  worker.start();
  const answered = () => begun.filter((host) => host.startsWith('answers')).length;
  for (let tries = 0; tries < 4800 && answered() < 4; tries += 1) await realWorld.sleep(25);
  expect(answered()).toBe(4);
  // The 80 deliveries that wait for the rest would fill all 64 places.
  expect(begun.length - answered()).toBe(16);
  hanging.abort();
  await worker.stop();
});
