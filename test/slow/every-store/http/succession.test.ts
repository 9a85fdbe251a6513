import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { audit } from '../../../../src/cli/audit.js';
import { logSucceed } from '../../../../src/cli/log-succeed.js';
import { parseVerifierKey } from '../../../../src/verifier/note.js';
import { verifyBundle } from '../../../../src/verifier/verify.js';
import { logOf, prove, type Said } from '../../../http/log-reader.js';
import { newSite, type Site } from '../../../http/restored-site.js';
import type { Service } from '../../../http/service.js';
import { stores } from '../../../support/stores.js';

let site: Site;
let state: string;
let directory: string;
beforeEach(async () => {
  site = await newSite();
  directory = mkdtempSync(join(tmpdir(), 'counterfoil-succession-'));
  state = join(directory, 'audit.json');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await site.remove();
  rmSync(directory, { recursive: true, force: true });
});

async function succeed(options: { keys?: string[]; state?: string[]; yes?: boolean } = { yes: true }): Promise<Said> {
  vi.stubEnv('DATABASE_URL', undefined);
  for (const [name, value] of Object.entries(site.env())) vi.stubEnv(name, value);
  const lines: string[] = [];
  const out = (line: string) => lines.push(line);
  const code = await logSucceed({ keys: [], state: [], ...options }, { out, err: out, confirm: async () => 'no' });
  return { code, text: lines.join('\n') };
}

async function visit(service: Service, acceptSuccession = false, key: string[] = [], file = state): Promise<Said> {
  const lines: string[] = [];
  const terminal = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
  const progress = { report: () => undefined, stop: () => undefined };
  const code = await audit(logOf(service), { state: file, key, acceptSuccession }, terminal, { progress });
  return { code, text: lines.join('\n') };
}

async function keyOf({ call }: Service): Promise<string> {
  const { json } = await call('GET', '/v1/ledger/keys');
  return json.data[0].verifier_key;
}

const states = (bundle: object, ...keys: string[]) =>
  verifyBundle(Buffer.from(JSON.stringify(bundle)), { keys: keys.map(parseVerifierKey) }).claims.map(
    ({ name, state: found }) => `${name} ${found}`,
  );

/** A service that has lost what it had signed last: two of its three memories are in the store that was restored. */
async function lostStore() {
  let service = await site.start();
  const kept = await prove(service, 'kept one');
  const oldKey = await keyOf(service);
  await service.stop();
  await site.dump();
  service = await site.start();
  const lost = await prove(service, 'lost one');
  await prove(service, 'lost two');
  expect(await visit(service, false, [oldKey])).toMatchObject({ code: 0 });
  await service.stop();
  await site.restore();
  return { kept, lost, oldKey };
}

describe.each(stores)('a log that has lost signed leaves, on %s', () => {
  it('is ended, and another one continues, which says what was lost', async () => {
    const { kept, oldKey } = await lostStore();
    let service = await site.start();
    const unsigned = await prove(service, 'written before the succession');
    expect(unsigned.checkpoint).toBeUndefined();
    for (const content of ['more', 'and more', 'than was lost'])
      await service.call('POST', '/v1/memories', { content });
    const { json: ready } = await service.call('GET', '/readyz');
    expect(ready.warnings.join()).toContain('counterfoil log succeed');
    await service.stop();

    expect(await succeed({ yes: false })).toMatchObject({ code: 1, text: expect.stringContaining('leaves are lost') });
    const done = await succeed();
    expect(done.text).toContain('The log log.example.org/2 has begun');
    expect(done.code).toBe(0);
    expect(readdirSync(site.keys)).toContain('signing-keys.1.json');
    expect(await succeed()).toMatchObject({ code: 1, text: expect.stringContaining('Nothing is lost') });

    service = await site.start();
    const written = await prove(service, 'written after it');
    const newKey = await keyOf(service);
    expect(newKey).toMatch(/^log\.example\.org\/2\+/);
    expect(states(kept, oldKey)).toContain('checkpoint verified');
    expect(states(written, newKey)).toContain('checkpoint verified');
    expect(states(written, newKey).join()).not.toContain('failed');
    expect(states(written, oldKey)).toContain('checkpoint not checked');
    expect((await service.call('GET', '/readyz')).json.warnings ?? []).toEqual([]);

    const before = readFileSync(state, 'utf8');
    const refused = await visit(service, false, [oldKey]);
    expect(refused.code).toBe(1);
    expect(refused.text).toMatch(/log\.example\.org has ended: of its \d+ leaves the last \d+ are lost/);
    expect(refused.text).toMatch(/Chain [0-9a-f]{64}: its last logged head had \d+ entries .* others were written/);
    expect(readFileSync(state, 'utf8')).toBe(before);
    expect(await visit(service, true, [oldKey])).toMatchObject({ code: 0 });
    await prove(service, 'and continues');
    expect(await visit(service, false, [oldKey])).toMatchObject({ code: 0, text: expect.stringContaining('grown by') });
    // Who comes for the first time has to accept it too.
    expect(await visit(service, false, [newKey], `${state}.new`)).toMatchObject({ code: 1 });
    expect(await visit(service, true, [newKey], `${state}.new`)).toMatchObject({ code: 0 });
    const was = await service.call('GET', '/v1/ledger/was/1/checkpoint');
    expect(was.text).toBe(kept.checkpoint);
    const checked = await service.app.maintenance.get('fsck')?.([], () => undefined);
    expect(checked).toMatchObject({ ok: true });
    await service.stop();
  });

  it('is completed by another command, wherever the first one was killed', async () => {
    await lostStore();
    const whole = join(directory, 'keys');
    cpSync(site.keys, whole, { recursive: true });
    expect((await succeed()).code).toBe(0);
    // Killed before the store had it: the new keys, and the old store.
    await site.restore();
    const again = await succeed();
    expect(again.text).toMatch(/A succession was interrupted|leaves are lost/);
    expect(again.code).toBe(0);
    const service = await site.start();
    expect((await prove(service, 'continues')).checkpoint).toContain('log.example.org/');
    await service.stop();
  });
});

describe.each(stores)('a log that has lost nothing, on %s', () => {
  it('has no successor', async () => {
    const service = await site.start();
    await prove(service, 'there');
    await service.stop();
    const said = await succeed();
    expect(said.text).toContain('Nothing is lost');
    expect(said.code).toBe(1);
  });

  it('is not ended while another process has the store', async () => {
    const { DATABASE_URL: connectionString } = site.env();
    if (connectionString === undefined) {
      const service = await site.start();
      expect(await succeed()).toMatchObject({ code: 2 });
      return service.stop();
    }
    const other = new pg.Client({ connectionString, application_name: 'counterfoil another' });
    await other.connect();
    expect(await succeed()).toMatchObject({ code: 2, text: expect.stringContaining('runs on this store') });
    await other.end();
  });

  it('has none without its keys either', async () => {
    await lostStore();
    rmSync(join(site.keys, 'signing-keys.json'));
    expect(await succeed()).toMatchObject({ code: 2, text: expect.stringContaining('there is no successor') });
  });
});
