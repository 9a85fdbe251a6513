import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { addKey, listKeys, retireKey } from '../../../src/cli/keys.js';
import { toUtf8 } from '../../../src/verifier/bytes.js';
import { parseNote } from '../../../src/verifier/note.js';
import { prove, visit } from '../../http/log-reader.js';
import { type Service, startService } from '../../http/service.js';
import { preparedDirectory } from '../../support/prepared-store.js';

const directory = mkdtempSync(join(tmpdir(), 'counterfoil-rotation-'));
const early = join(directory, 'early.json');
let service: Service;
beforeAll(async () => {
  await preparedDirectory(directory);
  service = await startService({ DATA_DIR: directory });
  vi.stubEnv('DATA_DIR', directory);
  vi.stubEnv('BASE_URL', service.app.server.listeningOrigin);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function said(command: (terminal: { out(text: string): void; err(text: string): void }) => Promise<void>) {
  const lines: string[] = [];
  await command({ out: (line) => lines.push(line), err: (line) => lines.push(line) });
  const failed = process.exitCode === 2;
  process.exitCode = 0;
  return { failed, text: lines.join('\n') };
}

const listed = async () => (await said(listKeys)).text;
const signersOf = async (content: string) =>
  parseNote(toUtf8((await prove(service, content)).checkpoint ?? '')).signatures.map(({ keyId }) => keyId);

it('exchanges the signing key of a running service, and those who know only the old one go along', async () => {
  const [old = ''] = await signersOf('signed with the first key');
  // The service signs by itself a second after its start; what follows counts checkpoints.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await listed()).toMatch(new RegExp(`^key id .*\n${old} .*in use, in the log at leaf 0$`));
  const { json } = await service.call('GET', '/v1/ledger/keys');
  const vkey: string = json.data[0].verifier_key;
  expect(await visit(service, early, [vkey])).toMatchObject({ code: 0 });
  expect((await said((terminal) => retireKey(old, terminal))).text).toContain('is the only key in use');

  const added = await said(addKey);
  expect(added.text).toContain(`and it is endorsed by ${old}`);
  const [, next = ''] = /^Key (\w+) was made/.exec(added.text) ?? [];
  expect(await listed()).toMatch(new RegExp(`${next} .*in use, not in the log yet$`));
  const refused = await said((terminal) => retireKey(old, terminal));
  expect(refused).toMatchObject({ failed: true, text: expect.stringContaining('No other key is in the log yet') });

  expect(await signersOf('shows the second key')).toEqual([old]);
  expect(await listed()).toMatch(new RegExp(`${next} .*in use, in the log at leaf \\d+$`));
  expect((await signersOf('signed with both')).sort()).toEqual([old, next].sort());
  expect((await said((terminal) => retireKey(old, terminal))).text).toContain(`checkpoints are signed by ${next}.`);
  expect(await signersOf('signed with the second')).toEqual([next]);
  expect(await listed()).toMatch(new RegExp(`${old} .*retired, in the log at leaf 0`));

  for (const state of [early, join(directory, 'late.json')]) {
    const { code, text } = await visit(service, state, [vkey]);
    expect(text).toContain(`signed by key ${next}`);
    expect(code).toBe(0);
  }
  const fsck = await service.app.maintenance.get('fsck')?.([], () => undefined);
  expect(fsck).toMatchObject({ ok: true });
});

it('says so when the service cannot be asked', async () => {
  vi.stubEnv('BASE_URL', 'http://127.0.0.1:1');
  expect(await listed()).toContain('The service does not answer, so what is in its log is not known.');
  const refused = await said((terminal) => retireKey('00000000', terminal));
  expect(refused).toMatchObject({
    failed: true,
    text: expect.stringContaining('Which keys are in the log is not known'),
  });
});
