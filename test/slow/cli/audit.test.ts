import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { LogSourceOptions } from '../../../src/adapters/log-source.js';
import { audit, auditEvidence } from '../../../src/cli/audit.js';
import { formatTilePath } from '../../../src/tlog/tile-path.js';
import { formatVerifierKey } from '../../../src/verifier/note.js';
import { listen } from '../../anchoring/http.js';
import { quickDirectory } from '../../support/memory-disk.js';
import { keyLeaf, signerOf } from '../../verifier/bundles.js';
import { headOf, heads, writeLog } from '../../verifier/logs.js';

const root = quickDirectory();
afterAll(() => rmSync(root, { recursive: true, force: true }));

const origin = 'log.example/1';
const [first, second, outsider] = ['first', 'second', 'outsider'].map((seed) => signerOf(origin, seed));
if (!first || !second || !outsider) throw new Error('there are three');
const vkey = formatVerifierKey(first.key);
const firstLeaf = keyLeaf(first, '2026-01-01T00:00:00.000Z');
const secondLeaf = keyLeaf(second, '2026-02-01T00:00:00.000Z', first);
const by = (...signers: (typeof first)[]) => ({ origin, signers });

let directory: string;
let state: string;
let evidence: string;
beforeEach(() => {
  directory = mkdtempSync(join(root, 'log-'));
  state = join(directory, 'state.json');
  evidence = `${state}.evidence.json`;
});

async function visit(where = directory, key: string[] = [vkey], options: LogSourceOptions = {}) {
  const said: string[] = [];
  const progress = { report: () => undefined, stop: () => undefined };
  const terminal = { out: (text: string) => said.push(text), err: (text: string) => said.push(text) };
  const code = await audit(where, { state, key }, terminal, { ...options, progress });
  return { code, said: said.join('\n') };
}

async function evaluated(path = evidence, key: string[] = [vkey]) {
  const said: string[] = [];
  const terminal = { out: (text: string) => said.push(text), err: (text: string) => said.push(text) };
  return { code: await auditEvidence(path, { key }, terminal), said: said.join('\n') };
}

const grow = (leaves: readonly Uint8Array[], signers = by(first)) => writeLog(directory, leaves, signers);
const seen = () => readFileSync(state, 'utf8');

describe('the address of a log', () => {
  it('may be that of the service, which has the log below /v1/ledger', async () => {
    grow([firstLeaf, ...heads(10)]);
    const server = createServer((request, response) => {
      const [, path] = /^\/v1\/ledger\/(.+)$/.exec(request.url ?? '') ?? [];
      const file = path === undefined ? '' : join(directory, path);
      if (existsSync(file)) response.end(readFileSync(file));
      else response.writeHead(404).end();
    });
    const { url, close } = await listen(server);
    for (const where of [`${url}/`, `${url}/v1/ledger`]) expect((await visit(where)).code).toBe(0);
    expect((await visit(`${url}/elsewhere`)).said).toContain('/elsewhere has no checkpoint');
    await close();
  });
});

describe('a log that only grows', () => {
  it('is believed without proof at the first visit without a key, and says so', async () => {
    grow([firstLeaf, ...heads(10)]);
    const { code, said } = await visit(directory, []);
    expect(code).toBe(0);
    expect(said).toContain('all 11 leaves are sound, 10 of them heads of 7 chains');
    expect(said).toContain('NO KEY WAS GIVEN');
    expect(said).toContain(vkey);
    expect((await visit(directory, [])).said).not.toContain('NO KEY');
  });

  it.each([
    [1, 2],
    [2, 255],
    [200, 300],
    [256, 512],
    [257, 513],
    [65_700, 66_000],
  ])('is followed from %i leaves to %i', async (from, to) => {
    const leaves = [firstLeaf, ...heads(to - 1)];
    grow(leaves.slice(0, from));
    expect(await visit()).toMatchObject({ code: 0 });
    grow(leaves);
    const { code, said } = await visit();
    expect(said).toContain(`grown by ${to - from} leaves, ${to - from} of them heads, to ${to}`);
    expect(code).toBe(0);
    expect((await visit()).said).toContain('grown by 0 leaves');
  });

  it('may change its keys: who knows the first trusts those that it signed for', async () => {
    const leaves = [firstLeaf, ...heads(5), secondLeaf, ...heads(14).slice(7)];
    grow(leaves.slice(0, 5));
    expect((await visit()).code).toBe(0);
    grow(leaves.slice(0, 9), by(first, second));
    expect((await visit()).said).toContain(`signed by key ${first.key.id} and ${second.key.id}`);
    grow(leaves, by(second));
    expect(await visit()).toMatchObject({ code: 0 });
    rmSync(state);
    expect((await visit()).said).toContain(`signed by key ${second.key.id}`);
  });
});

describe('a log that contradicts itself', () => {
  const leaves = [firstLeaf, ...heads(699)];
  const rewritten = leaves.with(3, headOf('another', 9));

  it('has signed two trees of one size', async () => {
    grow(leaves.slice(0, 300));
    await visit();
    const before = seen();
    grow(rewritten.slice(0, 300));
    const { code, said } = await visit();
    expect(code).toBe(1);
    expect(said).toMatch(/The log has forked: .*\n?The evidence is in .*counterfoil audit --evidence/s);
    expect(seen()).toBe(before);
    expect(await evaluated()).toEqual({ code: 0, said: `${origin} has signed two different trees of 300 leaves.` });
    expect((await evaluated(evidence, [])).said).toContain(`It was proven for the holder of the key ${vkey}`);
    expect(await evaluated(evidence, [formatVerifierKey(outsider.key)])).toMatchObject({ code: 1 });
    // What was found first is kept.
    expect((await visit()).said).toContain('exists already and was not changed');
  });

  it.each([
    [300, 700],
    [256, 700],
    [257, 258],
    [4, 5],
  ])('was rewritten between %i and %i leaves', async (from, to) => {
    grow(leaves.slice(0, from));
    await visit();
    grow(rewritten.slice(0, to), by(first));
    const { code, said } = await visit();
    expect(code).toBe(1);
    expect(said).toContain(`The log was rewritten: its checkpoint of ${to} leaves does not extend`);
    const shown = await evaluated();
    expect(shown.said).toContain(`a tree of ${to} leaves that does not begin with the tree of ${from} leaves`);
    expect(shown.code).toBe(0);
    const { consistency, ...rest } = JSON.parse(readFileSync(evidence, 'utf8'));
    const broken = join(directory, 'broken.json');
    writeFileSync(broken, JSON.stringify({ ...rest, consistency: consistency.slice(1) }));
    expect(await evaluated(broken)).toMatchObject({ code: 1 });
    const honest = { ...rest, later: rest.older, root: rest.root, consistency: [] };
    writeFileSync(broken, JSON.stringify(honest));
    expect(await evaluated(broken)).toMatchObject({ code: 1 });
  });

  it('shows a smaller tree, which by itself proves nothing', async () => {
    grow(leaves.slice(0, 300));
    await visit();
    grow(leaves.slice(0, 200));
    const { code, said } = await visit();
    expect(code).toBe(1);
    expect(said).toContain('The log has 200 leaves now, fewer than the checkpoint of 300 leaves that was seen before.');
    expect(await evaluated()).toMatchObject({ code: 1 });
    expect((await evaluated()).said).toContain('which every growing log does');
  });

  it('has a head that is not bigger than the one before it, in one visit or in two', async () => {
    const shrunk = [...leaves.slice(0, 299), headOf('0', 5)];
    for (const visits of [[shrunk], [leaves.slice(0, 290), shrunk]]) {
      rmSync(state, { force: true });
      rmSync(evidence, { force: true });
      for (const [at, all] of visits.entries()) {
        grow(all);
        expect((await visit()).code).toBe(at === visits.length - 1 ? 1 : 0);
      }
      const { code, said } = await evaluated();
      expect(said).toMatch(
        /leaf 299 is a head of 5 entries after leaf 2\d\d, a head of \d+ entries of the same workspace/,
      );
      expect(code).toBe(0);
    }
  });
});

describe('what a log has not signed is no evidence', () => {
  it('is a tile that does not fit', async () => {
    grow([firstLeaf, ...heads(9)]);
    const path = join(directory, formatTilePath({ level: 'entries', index: 0, width: 10 }));
    const tile = readFileSync(path);
    writeFileSync(path, Buffer.from(tile.toString('latin1').replace('"size":1', '"size":2'), 'latin1'));
    const { code, said } = await visit();
    expect(said).toBe('The entries that the log serves do not lead to the root of its checkpoint of 10 leaves.');
    expect(code).toBe(1);
    expect(existsSync(evidence)).toBe(false);
  });

  it.each([
    ['cannot be read: a leaf of an unknown type', Buffer.from('{"type":"more","v":1}')],
    ['cannot be read: JSON that is not in canonical form', Buffer.concat([headOf('0', 99), Buffer.from(' ')])],
    ['is endorsed by no earlier key', keyLeaf(second, '2026-02-01T00:00:00.000Z')],
    ['has a wrong endorsement', Buffer.from(Buffer.from(secondLeaf).toString().replace('2026-02', '2026-03'))],
  ])('is a leaf that %s', async (fault, leaf) => {
    grow([firstLeaf, ...heads(3), leaf]);
    const { code, said } = await visit();
    expect(said).toMatch(/^Leaf 4 of the log /);
    expect(said).toContain(fault);
    expect(code).toBe(1);
    expect(existsSync(evidence)).toBe(false);
  });

  it('is a checkpoint of someone else', async () => {
    grow([firstLeaf, ...heads(3)], by(outsider));
    expect(await visit()).toEqual({
      code: 1,
      said: 'The checkpoint of 4 leaves: no known key has signed the note.',
    });
    grow([firstLeaf, ...heads(3)]);
    expect((await visit(directory, [formatVerifierKey(outsider.key)])).code).toBe(1);
    expect(existsSync(state)).toBe(false);
  });
});

describe('a log that cannot be read', () => {
  const served = async (answer: (path: string) => [number, Uint8Array | string, Record<string, string>?]) => {
    const requests: string[] = [];
    const server = await listen(
      createServer((request, response) => {
        requests.push(request.url ?? '');
        const [status, body, headers = {}] = answer(request.url ?? '');
        response.writeHead(status, headers).end(body);
      }),
    );
    return { ...server, requests };
  };
  const file = (path: string): [number, Uint8Array] | [number, string] => {
    const at = join(directory, path);
    return existsSync(at) ? [200, readFileSync(at)] : [404, ''];
  };

  it('is read over HTTP, by few files at a later visit, and waits when it is asked to', async () => {
    const leaves = [firstLeaf, ...heads(999)];
    grow(leaves.slice(0, 900));
    let refusals = 0;
    const server = await served((path) => {
      refusals += 1;
      return refusals % 3 === 0 ? [429, '', { 'retry-after': '7' }] : file(path);
    });
    const waits: number[] = [];
    const sleep = async (ms: number) => waits.push(ms);
    expect(await visit(server.url, [vkey], { sleep })).toMatchObject({ code: 0 });
    expect(waits.length).toBeGreaterThan(0);
    expect(new Set(waits)).toEqual(new Set([7000]));
    grow(leaves);
    server.requests.length = 0;
    expect(await visit(`${server.url}/`, [vkey], { sleep })).toMatchObject({ code: 0 });
    expect([...new Set(server.requests)]).toEqual(['/checkpoint', '/tile/1/000.p/3', '/tile/entries/003.p/232']);
    await server.close();
  });

  it.each([
    ['has no checkpoint', () => [404, ''] as [number, string]],
    ['it answered 500', () => [500, ''] as [number, string]],
    ['more than 1048576 bytes', () => [200, Buffer.alloc(2_000_000)] as [number, Uint8Array]],
    [
      'asks to retry after 9999 s',
      () => [429, '', { 'retry-after': '9999' }] as [number, string, { 'retry-after': string }],
    ],
    ['a note without a blank line', () => [200, 'nothing\n'] as [number, string]],
  ])('because: %s', async (reason, answer) => {
    const server = await served(answer);
    const { code, said } = await visit(server.url);
    expect(said).toContain(reason);
    expect(code).toBe(2);
    await server.close();
  });

  it('or does not answer in time', async () => {
    const server = await listen(createServer((_, response) => response.writeHead(200).write('l')));
    expect((await visit(server.url, [vkey], { timeoutMs: 200 })).said).toContain('did not answer within 200 ms');
    await server.close();
  });

  it('or whose state is not one', async () => {
    grow([firstLeaf]);
    writeFileSync(state, '{}');
    expect(await visit()).toMatchObject({ code: 2 });
    expect(seen()).toBe('{}');
  });

  it('takes the complete tile where the partial one is gone', async () => {
    const leaves = [firstLeaf, ...heads(299)];
    grow(leaves);
    rmSync(join(directory, 'tile/entries/000.p'), { recursive: true, force: true });
    const checkpoint = readFileSync(join(directory, 'checkpoint'));
    grow(leaves.slice(0, 100));
    rmSync(join(directory, 'tile/entries/000.p'), { recursive: true });
    expect((await visit()).said).toContain('all 100 leaves are sound');
    writeFileSync(join(directory, 'checkpoint'), checkpoint);
    expect((await visit()).said).toContain('grown by 200 leaves');
  });
});
