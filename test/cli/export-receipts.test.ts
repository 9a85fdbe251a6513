import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportReceipts } from '../../src/cli/export-receipts.js';
import { verify } from '../../src/cli/verify.js';
import { administration } from '../http/keys.js';
import { apiKey, type Service, startService } from '../http/service.js';

const root = mkdtempSync(join(tmpdir(), 'counterfoil-receipts-'));
const file = (name: string) => join(root, name);

let service: Service;
beforeAll(async () => {
  service = await startService();
  for (let i = 0; i < 3; i += 1) await service.call('POST', '/v1/memories', { content: `Secret number ${i}` });
});
afterAll(async () => {
  await service.stop();
  rmSync(root, { recursive: true, force: true });
});

async function exported(name: string, key = apiKey) {
  const said: string[] = [];
  const url = service.app.server.listeningOrigin;
  const code = await exportReceipts(file(name), { url, key }, { err: (text) => said.push(text) });
  return { code, said: said.join('\n') };
}

async function verified(name: string, entries = file(name), proof = file(`${name}.proof.json`)) {
  const [out, err]: [string[], string[]] = [[], []];
  const stdin = (async function* () {})();
  const terminal = {
    stdin,
    colour: false,
    out: (text: string) => out.push(text),
    err: (text: string) => err.push(text),
  };
  const { json } = await service.call('GET', '/v1/ledger/keys');
  const options = { key: [json.data[0].verifier_key], entries, require: ['range,inclusion,checkpoint'] };
  const code = await verify(proof, options, terminal);
  return { code, range: /^range .*$/m.exec(out.join('\n'))?.[0] ?? err.join('\n') };
}

const linesOf = (name: string) => readFileSync(file(name), 'utf8').trimEnd().split('\n');
const wholeRange = (size: number) =>
  expect.stringContaining(`These are all entries of the workspace from 1 to ${size}:`);

describe('GET /v1/receipts/export', () => {
  it('gives each entry once, in pages that follow a cursor or a number', async () => {
    const all = await service.call('GET', '/v1/receipts/export?limit=1000');
    const seqs: number[] = all.json.data.map(({ seq }: { seq: number }) => seq);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    const found: number[] = [];
    for (let query = 'limit=2'; query !== ''; ) {
      const { json } = await service.call('GET', `/v1/receipts/export?${query}`);
      expect(json.data.length).toBeLessThanOrEqual(2);
      found.push(...json.data.map(({ seq }: { seq: number }) => seq));
      query = json.next_cursor === null ? '' : `limit=2&cursor=${encodeURIComponent(json.next_cursor)}`;
    }
    expect(found).toEqual(seqs);
    const last = await service.call('GET', `/v1/receipts/export?after=${seqs.length}`);
    expect(last.json).toEqual({ format: 'counterfoil-entries/1', data: [], next_cursor: null });
    for (const [query, code] of [
      ['after=-1', 'invalid_request'],
      ['limit=0', 'invalid_request'],
      ['limit=1001', 'invalid_request'],
      ['cursor=x', 'invalid_cursor'],
    ]) {
      expect((await service.call('GET', `/v1/receipts/export?${query}`)).json.error.code).toBe(code);
    }
  });
});

describe('counterfoil export-receipts', () => {
  it('writes all entries and a proof of them, which counterfoil verify checks offline', async () => {
    expect(await exported('all')).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^Exported \d+ entries from http/),
    });
    const { length } = linesOf('all');
    expect(await verified('all')).toEqual({ code: 0, range: wholeRange(length) });
    expect(`${readFileSync(file('all'))}${readFileSync(file('all.proof.json'))}`).not.toContain('Secret number');
    expect(statSync(file('all')).mode & 0o77).toBe(0);
  });

  it('continues a file, also of an interrupted export, and leaves an older proof valid for its entries', async () => {
    await exported('grows');
    const before = readFileSync(file('grows'));
    writeFileSync(file('old'), before);
    writeFileSync(file('old.proof.json'), readFileSync(file('grows.proof.json')));
    for (let i = 0; i < 3; i += 1) await service.call('POST', '/v1/memories', { content: `Later ${i}` });
    expect((await exported('grows')).code).toBe(0);
    expect(readFileSync(file('grows')).subarray(0, before.length).equals(before)).toBe(true);
    const { length } = linesOf('grows');
    expect(await verified('grows')).toEqual({ code: 0, range: wholeRange(length) });
    expect(await verified('old')).toEqual({ code: 0, range: wholeRange(linesOf('old').length) });
    expect((await verified('grows', file('old'))).range).toContain(`ends after entry ${linesOf('old').length}`);
    truncateSync(file('grows'), before.length + 100);
    expect((await exported('grows')).code).toBe(0);
    expect(await verified('grows')).toEqual({ code: 0, range: wholeRange(length) });
  });

  it('fails on a file in which anything was changed, and does not continue one', async () => {
    await exported('whole');
    const lines = linesOf('whole');
    const changes: readonly (readonly string[])[] = [
      lines.toSpliced(1, 1),
      lines.slice(0, -1),
      lines.with(0, lines[1] ?? '').with(1, lines[0] ?? ''),
      lines.with(1, (lines[1] ?? '').replace('"seq":2', '"seq": 2')),
      lines.with(-1, (lines.at(-1) ?? '').replace(/"recorded_at":"20/, '"recorded_at":"19')),
      [...lines, lines.at(-1) ?? ''],
      [...lines, 'x'.repeat(600_000)],
      [],
    ];
    for (const changed of changes) {
      writeFileSync(file('changed'), changed.map((line) => `${line}\n`).join(''));
      expect(await verified('whole', file('changed'))).toEqual({
        code: 1,
        range: expect.stringMatching(/^range +failed/),
      });
    }
    writeFileSync(file('changed'), `${lines.toSpliced(1, 1).join('\n')}\n`);
    expect(await exported('changed')).toEqual({ code: 2, said: expect.stringContaining('is no file of entries') });
    writeFileSync(file('text'), 'hello\n');
    expect((await exported('text')).code).toBe(2);
    expect(readFileSync(file('text'), 'utf8')).toBe('hello\n');
    appendFileSync(file('whole'), '{}\n');
    expect((await verified('whole')).code).toBe(1);
    expect((await verified('whole', file('missing'))).code).toBe(2);
  });

  it('is refused to a key that does not see the whole workspace', async () => {
    const admin = administration(service);
    const { workspaceId, namespaceId } = await admin.first();
    const narrowed = await admin.key(workspaceId, { namespaceIds: [namespaceId], scopes: ['memory.read'] });
    expect(await exported('narrowed', narrowed)).toMatchObject({
      code: 2,
      said: expect.stringContaining('insufficient_scope'),
    });
    const whole = await admin.key(workspaceId, { namespaceIds: [namespaceId] });
    expect((await exported('before', whole)).code).toBe(0);
    await admin.namespace(workspaceId, 'apart');
    expect(await exported('after', whole)).toMatchObject({
      code: 2,
      said: expect.stringContaining('namespace_out_of_scope'),
    });
    for (const name of ['narrowed', 'after']) {
      expect(existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '').toBe('');
    }
  });
});
