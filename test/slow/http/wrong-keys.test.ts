import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, expect, it, vi } from 'vitest';
import { keyLeaves, logState } from '../../../projections/log/queries.js';
import { addSigningKey, createSigningKeys, readSigningKeys } from '../../../src/adapters/signing-keys.js';
import { realWorld } from '../../../src/base/world.js';
import { disownKey, listKeys, retireKey } from '../../../src/cli/keys.js';
import { recordInLog } from '../../../src/commands/record-in-log.js';
import { openLedger } from '../../../src/wiring/start/ledger.js';
import { prove, visit } from '../../http/log-reader.js';
import { type Service, startService } from '../../http/service.js';
import { preparedDirectory } from '../../support/prepared-store.js';

const directories: string[] = [];
afterAll(() => {
  vi.unstubAllEnvs();
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-keys-'));
  directories.push(directory);
  return directory;
}

/** A store with a signed log, stopped, and a copy of its key file. */
async function stoppedService() {
  const directory = newDirectory();
  await preparedDirectory(directory);
  const env = { DATA_DIR: directory, BASE_URL: 'http://log.example.org' };
  const service = await startService(env);
  await prove(service, 'signed with the right key');
  const before = await logOf(service);
  await service.stop();
  const right = newDirectory();
  cpSync(join(directory, 'keys'), right, { recursive: true });
  return { directory, env, right, before, keys: join(directory, 'keys') };
}

async function logOf({ app }: Service) {
  return app.database.read(async (tx) => {
    const { head, size } = await logState(tx);
    return { head, size, keys: (await keyLeaves(tx, size)).length };
  });
}

function putKeys(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}

async function said(command: (terminal: { out(text: string): void; err(text: string): void }) => Promise<void>) {
  const lines: string[] = [];
  await command({ out: (line) => lines.push(line), err: (line) => lines.push(line) });
  process.exitCode = 0;
  return lines.join('\n');
}

const fsck = async ({ app }: Service) => app.maintenance.get('fsck')?.([], () => undefined);

it.each([
  [
    'of another log',
    'other.example.org',
    /are of the log other\.example\.org, and the log in this store is log\.example\.org/,
  ],
  ['of a log of the same name', 'log.example.org', /is endorsed by no earlier key in use of the log in this store/],
])('does not start with a key file %s, and writes nothing', async (_, origin, sentence) => {
  const { directory, env, right, before, keys } = await stoppedService();
  const wrong = newDirectory();
  createSigningKeys(wrong, origin, new Date());
  putKeys(wrong, keys);
  await expect(startService(env)).rejects.toMatchObject({
    name: 'RefusesToSign',
    message: expect.stringMatching(sentence),
  });
  putKeys(right, keys);
  const service = await startService(env);
  expect(await logOf(service)).toEqual(before);
  const { code } = await visit(service, join(directory, 'audit.json'));
  expect(code).toBe(0);
  await service.stop();
});

it('does not start with a key file that is damaged, and writes nothing', async () => {
  const { env, right, before, keys } = await stoppedService();
  writeFileSync(join(keys, 'signing-keys.json'), '{"format":');
  await expect(startService(env)).rejects.toMatchObject({
    name: 'RefusesToSign',
    message: expect.stringContaining('is not a key file of this service. Put its backup back.'),
  });
  putKeys(right, keys);
  const service = await startService(env);
  expect(await logOf(service)).toEqual(before);
  await service.stop();
});

it('writes nothing when the key file is exchanged while the service runs', async () => {
  const { env, right, keys } = await stoppedService();
  const wrong = newDirectory();
  createSigningKeys(wrong, 'other.example.org', new Date());
  const service = await startService(env);
  const before = await logOf(service);
  putKeys(wrong, keys);
  expect(await prove(service, 'not under a checkpoint')).not.toHaveProperty('checkpoint');
  expect(await logOf(service)).toEqual(before);
  putKeys(right, keys);
  expect(await prove(service, 'under one')).toHaveProperty('checkpoint');
  await service.stop();
});

it('does not sign with a key that the log has seen the end of, when an old key file is put back', async () => {
  const { env, right, keys } = await stoppedService();
  const service = await startService(env);
  vi.stubEnv('DATA_DIR', env.DATA_DIR);
  vi.stubEnv('BASE_URL', service.app.server.listeningOrigin);
  addSigningKey(keys, realWorld.now());
  await prove(service, 'shows the second key');
  const { json } = await service.call('GET', '/v1/ledger/keys');
  await said((terminal) => retireKey(json.data[0].id, terminal));
  await prove(service, 'shows the end of the first');
  const ended = await service.call('GET', '/v1/ledger/keys');
  expect(ended.json.data).toMatchObject([
    { state: 'retired', retired_after: expect.any(Number) },
    { state: 'in use', retired_after: null },
  ]);
  await service.stop();
  putKeys(right, keys);
  await expect(startService(env)).rejects.toThrow(/was retired in the log of this store/);
});

it('has a log with a wrong key say so, and everybody who checks it finds it sound again', async () => {
  const { directory, env } = await stoppedService();
  const state = join(directory, 'audit.json');
  const service = await startService(env);
  vi.stubEnv('DATA_DIR', directory);
  vi.stubEnv('BASE_URL', service.app.server.listeningOrigin);
  expect(await visit(service, state)).toMatchObject({ code: 0 });
  // What a version before this one did when it was started with the key file of another service.
  const wrong = newDirectory();
  createSigningKeys(wrong, 'other.example.org', new Date());
  const leaf = readSigningKeys(wrong)?.keys[0]?.leaf ?? '';
  const { run } = await openLedger(
    { eventStore: undefined },
    service.app.database,
    realWorld,
    pino({ level: 'silent' }),
  );
  const { head, size } = await logOf(service);
  await recordInLog(run, realWorld)(head, { kind: 'log.key_added', body: { index: size, leaf } });

  const bundle = await prove(service, 'signed over the wrong leaf');
  const verified = await service.call('POST', '/v1/receipts/verify', bundle);
  expect(verified.json.claims).toContainEqual(expect.objectContaining({ name: 'checkpoint', state: 'verified' }));
  expect(await visit(service, state)).toMatchObject({
    code: 1,
    text: expect.stringContaining('is a key of another log'),
  });
  const { json } = await service.call('GET', '/v1/ledger/keys');
  const [own, bad] = json.data;
  expect(bad).toMatchObject({ name: 'other.example.org', state: 'unvouched', retired_after: 0 });
  expect(await fsck(service)).toMatchObject({
    ok: false,
    text: expect.stringContaining(`counterfoil keys disown ${bad.id}`),
  });
  expect(await said(listKeys)).toMatch(new RegExp(`${bad.id} .*unvouched`));
  expect(await said((terminal) => disownKey(own.id, terminal))).toContain('To end it: counterfoil keys retire');
  expect(await said((terminal) => disownKey(bad.id, terminal))).toContain('is not a key of this log');

  await prove(service, 'signed over the leaf that disowns it');
  for (const remembered of [state, join(directory, 'late.json'), state]) {
    const { code, text } = await visit(service, remembered);
    expect(text).not.toContain('key of another log');
    expect(code).toBe(0);
  }
  expect(await fsck(service)).toMatchObject({ ok: true });
  const { json: after } = await service.call('GET', '/v1/ledger/keys');
  expect(after.data[1]).toMatchObject({ id: bad.id, state: 'disowned' });
  // A bundle from the time between, and one of now.
  for (const one of [bundle, await prove(service, 'one of now')]) {
    const { json: report } = await service.call('POST', '/v1/receipts/verify', one);
    expect(report.claims).toContainEqual(expect.objectContaining({ name: 'checkpoint', state: 'verified' }));
  }
  expect(existsSync(`${state}.evidence.json`)).toBe(false);
  await service.stop();
});
