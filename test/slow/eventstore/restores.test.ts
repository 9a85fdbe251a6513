import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kindsFor } from '../../../contracts/entries/catalogue.js';
import { command, type Ended } from '../../faults/command.js';
import { type Service, start } from '../../faults/service-process.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { type EventStoreProcess, startEventStoreProcess } from '../../support/eventstore-server/process.js';
import { quickDirectory } from '../../support/memory-disk.js';
import { preparedDirectory } from '../../support/prepared-store.js';

/**
 * Copies of a database and of its streams that are older than each other, and a database that is lost, as an operator meets them:
 * every process is one of its own, and everything is done from the command line and over HTTP.
 */
let key = 'ak_restores0000000000000000000000000';
let streams: EventStoreProcess;
let service: Service;
let env: Record<string, string>;
const directory = quickDirectory();
const at = (name: string): string => join(directory, name);

const ids = { early: '', deleted: '', late: '' };
const receipts = [taskReceipt(), taskReceipt()];
const late = [taskReceipt()];

beforeAll(async () => {
  mkdirSync(at('data'));
  await preparedDirectory(at('data'));
  streams = await startEventStoreProcess(at('streams'));
  env = {
    DATA_DIR: at('data'),
    EVENTSTORE_URL: streams.url,
    BOOTSTRAP_API_KEY: key,
    PORT: '0',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    OTS_CALENDARS: 'off',
  };
  service = await start(env);
});
afterAll(async () => {
  await service.kill();
  await streams.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function ask(method: string, path: string, body?: unknown) {
  const init = { method, headers: { authorization: `Bearer ${key}` }, body: body ? JSON.stringify(body) : null };
  const response = await fetch(`${service.origin}${path}`, init);
  const text = await response.text();
  return { status: response.status, json: JSON.parse(text), text };
}
const write = async (content: string): Promise<string> =>
  (await ask('POST', '/v1/memories', { content })).json.memory_id;
const content = async (id: string) => (await ask('GET', `/v1/memories/${id}`)).json.content;
const counterfoil = (...args: string[]): Promise<Ended> => command(env, ...args);
const lostNow = async () =>
  [...(await counterfoil('fsck')).stdout.matchAll(/^content lost: memory ([0-9a-f-]+),/gm)].map(([, id]) => id);

/** The hashes of the entries of the workspace by their numbers: of all that the key sees, or of some kinds. */
async function entries(kinds?: readonly string[]): Promise<ReadonlyMap<number, string>> {
  const { json } = await ask('GET', '/v1/receipts?limit=100');
  const seen: readonly { readonly seq: number; readonly hash: string; readonly kind: string }[] = json.data;
  return new Map(
    seen.flatMap(({ seq, hash, kind }) => (kinds?.includes(kind) === false ? [] : [[seq, hash] as const])),
  );
}

// @covers EVS-HALTED
it('a leader that was cut off ends itself with 0, and what it has not acknowledged is appended once after its next start', async () => {
  const earlier = await write('before the cut');
  const before = await entries();
  streams.cutOff();
  const writing = ask('POST', '/v1/memories', { content: 'during the cut' });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(await streams.meetOthers()).toBe(0);
  await streams.restart();
  const { status, json } = await writing;
  expect(status).toBe(202);
  expect(await content(json.memory_id)).toBe('during the cut');
  const after = await entries();
  for (const [seq, hash] of before) expect(after.get(seq)).toBe(hash);
  expect((await counterfoil('fsck')).code).toBe(0);
  for (const id of [json.memory_id, earlier]) expect((await ask('DELETE', `/v1/memories/${id}`)).status).toBe(200);
});

// @covers EVS-BEHIND EVS-HOME ES-MOVE-5
it('streams that are restored to an older state stop the start, are not appended to, and are completed by migrate-ledger', async () => {
  ids.early = await write('Ada prefers tea in the morning.');
  ids.deleted = await write('Ada prefers coffee.');
  expect((await ask('POST', '/v1/receipts', { receipts })).status).toBe(201);
  expect((await counterfoil('backup', at('backup'))).code).toBe(0);
  copyFileSync(at('streams'), at('streams.old'));
  ids.late = await write('Ada prefers tea in the evening.');
  expect((await ask('POST', '/v1/receipts', { receipts: late })).status).toBe(201);
  expect((await ask('DELETE', `/v1/memories/${ids.deleted}`)).status).toBe(200);
  const before = await entries();
  await service.kill();

  await streams.restart(() => copyFileSync(at('streams.old'), at('streams')));
  await expect(start(env)).rejects.toThrow(
    /The stream counterfoil-\S+ ends before entry \d+ of the database: .* or move the ledger with counterfoil migrate-ledger/,
  );
  expect(readFileSync(at('streams'))).toEqual(readFileSync(at('streams.old')));
  expect((await counterfoil('fsck')).stdout).toMatch(/^The stream counterfoil-\S+ ends at entry \d+ of workspace/);
  expect(await counterfoil('migrate-ledger', '--to', 'eventstore')).toMatchObject({ code: 0 });
  service = await start(env);
  expect(await entries()).toEqual(before);
  expect(await content(ids.late)).toBe('Ada prefers tea in the evening.');
});

// @covers EVS-CATCH-UP ES-LOST-1 ES-LOST-2
it('a database that is restored to an older state is caught up, without the texts that were written meanwhile', async () => {
  const before = await entries();
  await service.kill();
  rmSync(at('data/pgdata'), { recursive: true });
  cpSync(at('backup/pgdata'), at('data/pgdata'), { recursive: true });
  service = await start(env);
  expect(await entries()).toEqual(before);
  expect(await content(ids.early)).toBe('Ada prefers tea in the morning.');
  for (const id of [ids.late, ids.deleted]) expect((await ask('GET', `/v1/memories/${id}`)).status).toBe(404);
  expect(await lostNow()).toEqual([ids.late]);
  // A task receipt that was acknowledged after the copy was made is known by its id.
  expect((await ask('POST', '/v1/receipts', { receipts: late })).status).toBe(200);
});

// @covers EVS-REPLAY ES-LOST-1 ES-LOST-2
it('an empty database is built from the streams, and fsck names each lost memory until it is deleted', async () => {
  // A key that the command line makes sees no entries of governance. fsck, below, reads those too.
  const before = await entries(kindsFor('memory'));
  expect(before.size).toBeGreaterThan(3);
  const checkpoint = await (await fetch(`${service.origin}/v1/ledger/checkpoint`)).text();
  await service.kill();
  rmSync(at('data/pgdata'), { recursive: true });
  service = await start(env);
  key = /ak_\w+/.exec((await counterfoil('keys', 'create')).stdout)?.[0] ?? '';
  const after = await entries();
  for (const [seq, hash] of before) expect(after.get(seq)).toBe(hash);
  const sizeOf = (text: string): number => Number(text.split('\n')[1]);
  const now = await (await fetch(`${service.origin}/v1/ledger/checkpoint`)).text();
  expect(sizeOf(now)).toBeGreaterThanOrEqual(sizeOf(checkpoint));
  expect((await ask('POST', '/v1/receipts', { receipts: [...receipts, ...late] })).status).toBe(200);
  expect((await ask('GET', '/v1/memories')).json.data).toEqual([]);
  expect((await ask('POST', '/v1/memories/search', { query: 'tea' })).json.data).toEqual([]);

  expect((await lostNow()).toSorted()).toEqual([ids.early, ids.late].toSorted());
  for (const id of [ids.early, ids.late]) {
    expect((await ask('GET', `/v1/memories/${id}`)).status).toBe(404);
    expect((await ask('DELETE', `/v1/memories/${id}`)).status).toBe(200);
  }
  const { stdout } = await counterfoil('fsck');
  expect(
    stdout
      .trim()
      .split('\n')
      .filter((line) => !/^content lost: the texts of a /.test(line)),
  ).toEqual([]);
});
