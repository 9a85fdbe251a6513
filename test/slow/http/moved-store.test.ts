import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Reply, type Service, startService } from '../../http/service.js';
import { preparedDirectory } from '../../support/prepared-store.js';

let root: string;
let data: string;
let moved: string;
let service: Service;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
  [data, moved] = [join(root, 'data'), join(root, 'moved')];
  await placeStore();
  service = await startService({ DATA_DIR: data });
});
afterEach(async () => {
  await service.stop();
  rmSync(root, { recursive: true, force: true });
});

/** Another store, with nothing in it, at the path of the first one. */
async function placeStore(): Promise<void> {
  mkdirSync(data);
  await preparedDirectory(data);
}

const write = (content: string) => service.call('POST', '/v1/memories', { content });
const read = (id: string) => service.call('GET', `/v1/memories/${id}`);
const sentence = /\(DATA_DIR\) was moved, deleted or replaced .* Put it back/;

function expectMoved({ status, json }: Reply): void {
  expect([status, json.error.code]).toEqual([503, 'not_ready']);
  expect(json.error.message).toMatch(sentence);
}

/** The answer about readiness is kept for a second, and opening the store again takes a moment. */
async function untilReady(status: number): Promise<Reply> {
  for (;;) {
    const ready = await service.call('GET', '/readyz');
    if (ready.status === status) return ready;
    await pause(100);
  }
}

/** The contents of all files in a directory. */
function contentOf(directory: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted()) {
    hash.update(name);
    if (statSync(join(directory, name)).isFile()) hash.update(readFileSync(join(directory, name)));
  }
  return hash.digest('hex');
}

test('a directory that is renamed is missed with a sentence, and used again when it is back', async () => {
  const { memory_id: id } = (await write('kept before')).json;
  await service.settled();

  renameSync(data, moved);
  expectMoved(await write('refused'));
  expectMoved(await read(id));
  expect((await untilReady(503)).json.missing).toEqual([expect.stringMatching(sentence)]);
  expect(existsSync(data)).toBe(false);
  const refused = service.logged.filter((line) => line.includes('StoreMoved'));
  expect(refused.length).toBeGreaterThan(0);
  // The pool of connections attaches its connection to the error, 20 kB of text.
  for (const line of refused) expect(line.length).toBeLessThan(4000);

  renameSync(moved, data);
  await untilReady(200);
  expect((await read(id)).status).toBe(200);
  expect((await write('kept after')).status).toBe(202);
});

test('another store at the same path is neither read nor written, also when the service stops', async () => {
  const { memory_id: id } = (await write('kept before')).json;
  renameSync(data, moved);
  await placeStore();
  const other = contentOf(data);
  expectMoved(await read(id));
  expectMoved(await write('refused'));
  await untilReady(503);
  await service.app.close();
  expect(contentOf(data)).toBe(other);

  rmSync(data, { recursive: true });
  renameSync(moved, data);
  service = await startService({ DATA_DIR: data });
  expect((await read(id)).status).toBe(200);
});

test('a service that is stopped without having missed its directory writes nothing to another one either', async () => {
  await write('kept before');
  await service.settled();
  renameSync(data, moved);
  await placeStore();
  const other = contentOf(data);
  await service.app.close();
  expect(contentOf(data)).toBe(other);
});
