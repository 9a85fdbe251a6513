import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { genesisBytes } from '../../../src/ledger/chain.js';
import { genesisEvent } from '../../../src/ledger/eventstore/events.js';
import { type Service, startService } from '../../http/service.js';
import { type EventStoreServer, startEventStore } from '../../support/eventstore-server/server.js';
import { createStore, type Proposed, type Recorded, type Store } from '../../support/eventstore-server/store.js';
import { preparedDirectory } from '../../support/prepared-store.js';

/** A service below which the streams change, as an operator of EventStoreDB sees it. */
let server: EventStoreServer;
let service: Service;
let stream: string;
let workspace: string;
let count = 0;
const directory = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));

beforeAll(async () => {
  server = await startEventStore();
  await preparedDirectory(directory);
  service = await startService({ DATA_DIR: directory, EVENTSTORE_URL: server.url });
  expect((await write()).status).toBe(202);
  const [row] = await sql<{ id: string }>('select workspace_id::text as id from memories');
  workspace = row?.id ?? '';
  stream = `counterfoil-${workspace}`;
});
afterAll(async () => {
  await service.stop();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

const sql = <R extends Record<string, unknown>>(text: string) => service.app.database.read((tx) => tx.query<R>(text));
const write = () => {
  count += 1;
  return service.call('POST', '/v1/memories', { content: `memory ${count}` });
};
const readiness = async () => {
  const { status, json } = await service.call('GET', '/readyz');
  return { status, missing: json.missing.join('\n'), warnings: json.warnings.join('\n') };
};
const halted = async () => {
  const { text } = await service.call('GET', '/metrics');
  return /counterfoil_ledger_halted_chains\{reason="removal"\} (\d+)/.exec(text)?.[1];
};
const patient = { timeout: 120_000, interval: 200 };

function setMetadata(settings: object): void {
  const data = Buffer.from(JSON.stringify(settings));
  const event = { id: crypto.randomUUID(), type: '$metadata', contentType: 'application/json', data };
  server.store.append({
    stream: `$$${stream}`,
    expected: 'any',
    events: [{ ...event, customMetadata: Buffer.alloc(0) }],
  });
}

async function refusesWrites(): Promise<void> {
  const refused = await write();
  expect([refused.status, refused.json.error.code]).toEqual([503, 'not_ready']);
  expect(refused.json.error.message).toContain('Nothing was written');
}
const takesWrites = () => expect.poll(async () => (await write()).status, patient).toBe(202);

// @covers EVS-HALTED
it.each([
  ['$maxCount', () => setMetadata({ $maxCount: 3 })],
  ['$maxAge', () => setMetadata({ $maxAge: 1_000_000 })],
  ['$tb', () => setMetadata({ $tb: 1 })],
  ['$tb', () => void server.store.delete(stream, 'any', 'soft')],
])('%s below a running service stops the writes of that workspace until it is removed', async (name, change) => {
  change();
  await expect.poll(async () => (await readiness()).warnings, patient).toContain(`has the setting ${name}, with which`);
  expect((await readiness()).status).toBe(200);
  await expect.poll(halted, patient).toBe('1');
  await refusesWrites();
  expect((await service.call('POST', '/v1/namespaces', { name: `other ${count}` })).status).not.toBe(202);
  setMetadata({});
  await takesWrites();
  await expect.poll(halted, patient).toBe('0');
  await expect.poll(async () => (await readiness()).warnings, patient).not.toContain(name);
});

/** The same service on other streams, as after a restore of the cluster: it answers on the same address. */
async function replaceStreams(store: Store): Promise<void> {
  const { port } = server;
  await server.stop();
  server = await startEventStore({ store, port });
}
const storeOf = (events: readonly Recorded[], before: readonly Proposed[] = []): Store =>
  createStore([
    ...before.map((event) => ({ stream: 'of others', createdMs: 0, events: [event] })),
    ...events.map((event) => ({ stream: event.stream, createdMs: event.createdMs, events: [event] })),
  ]);

// @covers EVS-HALTED
it.each([
  ['gone', () => createStore(), /The stream counterfoil-\S+ of workspace \S+ is missing\./],
  [
    'older',
    () => {
      const ofWorkspace = server.store.all.filter((event) => event.stream === stream);
      return storeOf(server.store.all.filter((event) => event !== ofWorkspace.at(-1)));
    },
    /The stream counterfoil-\S+ ends at entry \d+ of workspace \S+, and the table entries continues to entry \d+\./,
  ],
])('a ledger that is %s below a running service is not ready, and names what fsck names', async (_, change, sentence) => {
  const whole = server.store;
  const entries = whole.all.length;
  await replaceStreams(change());
  const short = server.store.all.length;
  await expect.poll(async () => (await readiness()).missing, patient).toMatch(sentence);
  expect((await readiness()).status).toBe(503);
  await refusesWrites();
  const lines = () => service.logged.filter((line) => line.includes(stream) && sentence.test(line));
  const before = lines().length;
  expect(before).toBeGreaterThan(0);
  await refusesWrites();
  expect(lines().filter((line) => !line.includes('request refused')).length).toBeLessThanOrEqual(before + 1);
  expect(server.store.all.length).toBe(short);
  await replaceStreams(whole);
  await takesWrites();
  await expect.poll(async () => (await readiness()).status, patient).toBe(200);
  expect(whole.all.length).toBeGreaterThan(entries);
});

/** A chain that another process has begun, and not applied. */
async function isFollowed(): Promise<void> {
  const chain = crypto.randomUUID();
  const genesis = genesisEvent(genesisBytes(chain, new Date().toISOString()), Buffer.alloc(32));
  const event = { ...genesis, contentType: 'application/json' };
  const customMetadata = Buffer.from(JSON.stringify(genesis.metadata));
  server.store.append({
    stream: `counterfoil-${chain}`,
    expected: 'no-stream',
    events: [{ ...event, customMetadata }],
  });
  await expect.poll(() => sql(`select 1 from chains where chain = '${chain}'`), patient).toHaveLength(1);
}
const other = (): Proposed => ({
  id: crypto.randomUUID(),
  type: 'other',
  contentType: 'application/json',
  data: Buffer.from('{}'),
  customMetadata: Buffer.alloc(0),
});

// @covers EVS-POSITION
it.each([
  ['refused', () => storeOf(server.store.all, [other()])],
  ['beyond the end', () => storeOf(server.store.all.filter((event) => !event.stream.startsWith('of others')))],
])('a restored cluster on which the position of the follower is %s is followed, in the running service', async (_, change) => {
  await replaceStreams(storeOf(server.store.all, Array.from({ length: 20 }, other)));
  await isFollowed();
  await replaceStreams(change());
  await isFollowed();
  await takesWrites();
});

it('reports refused rights from a server that does not answer', async () => {
  server.fail({ onRead: () => 'denied' });
  await expect.poll(async () => (await readiness()).missing, patient).toContain('refuses the credentials');
  server.fail({});
  await expect.poll(async () => (await readiness()).status, patient).toBe(200);
});

// It is the last test, because nothing repairs the stream.
it('a stream that was deleted permanently takes no writes, and its callers do not wait in vain', async () => {
  server.store.delete(stream, 'any', 'tombstone');
  await expect.poll(async () => (await readiness()).warnings, patient).toContain('it has a tombstone');
  await refusesWrites();
});
