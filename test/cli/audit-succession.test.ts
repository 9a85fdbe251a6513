import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { audit, auditEvidence } from '../../src/cli/audit.js';
import { canonicalBytes } from '../../src/ledger/chain.js';
import { consistencyProof, treeRoot } from '../../src/tlog/tree.js';
import { toHex } from '../../src/verifier/bytes.js';
import { writeEvidence } from '../../src/verifier/evidence.js';
import { formatVerifierKey } from '../../src/verifier/note.js';
import { keyLeaf, seeded, signerOf, tilesOf } from '../verifier/bundles.js';
import { writeLog } from '../verifier/logs.js';
import { rootOf, sizeOf, succession } from '../verifier/successions.js';

const root = mkdtempSync(join(tmpdir(), 'counterfoil-audit-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const origin = 'log.example';
const [old, outsider] = [signerOf(origin, 'old'), signerOf(origin, 'outsider')];
const [next, another] = [signerOf(`${origin}/2`, 'next'), signerOf(`${origin}/2`, 'another')];

let directory: string;
let state: string;
beforeEach(() => {
  directory = mkdtempSync(join(root, 'log-'));
  state = join(directory, 'state.json');
});

/** The entries of a workspace, by the names of which each has another hash. */
const entries = (workspace: string, count: number, history = 'first') =>
  Array.from({ length: count }, (_, at) => seeded(`${workspace} ${at} ${at < 2 ? 'first' : history}`));

async function head(workspace: string, size: number, history = 'first'): Promise<Uint8Array> {
  const hashes = entries(workspace, size, history);
  const [tag, root] = [toHex(seeded(`tag ${workspace}`)), toHex(await treeRoot(tilesOf(hashes), size))];
  return canonicalBytes({ head_hash: toHex(hashes[size - 1] ?? seeded('')), root, size, tag, type: 'head', v: 1 });
}

const tagOf = (workspace: string) => toHex(seeded(`tag ${workspace}`));

/** Everything that the service answers about a workspace whose head of `size` entries is leaf `index`. */
async function putGrowth(index: number, from: number, workspace: string, size: number, history = 'first') {
  const tiles = tilesOf(entries(workspace, size, history));
  const growth = [await treeRoot(tiles, from), ...(await consistencyProof(tiles, from, size))];
  mkdirSync(join(directory, 'growth', String(index)), { recursive: true });
  writeFileSync(join(directory, 'growth', String(index), String(from)), Buffer.concat(growth));
}

async function visit(acceptSuccession = false, key: string[] = [formatVerifierKey(old.key)]) {
  const lines: string[] = [];
  const terminal = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
  const progress = { report: () => undefined, stop: () => undefined };
  const code = await audit(directory, { state, key, acceptSuccession }, terminal, { progress });
  return { code, text: lines.join('\n') };
}

async function evaluated(path = `${state}.evidence.json`) {
  const lines: string[] = [];
  const terminal = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
  const code = await auditEvidence(path, { key: [formatVerifierKey(old.key)] }, terminal);
  return { code, text: lines.join('\n') };
}

const by = (signer: typeof old) => ({ origin: signer.key.name, signers: [signer] });

/** The old log: two workspaces under what is kept, and behind it more of `a` and a third workspace. */
async function oldLog() {
  const kept = [keyLeaf(old, '2026-01-01T00:00:00.000Z'), await head('a', 3), await head('b', 2)];
  return { kept, whole: [...kept, await head('a', 5), await head('c', 4), await head('b', 6)] };
}

interface Choices {
  readonly from?: { readonly size: number; readonly root: string };
  readonly heads?: readonly Uint8Array[];
  readonly by?: typeof old;
}

/** Puts the new log instead of the old one. Workspace `a` has gone on otherwise, and `b` is as it was. */
async function succeed({ from, heads, by: endorser = old }: Choices = {}): Promise<void> {
  const { kept, whole } = await oldLog();
  rmSync(join(directory, 'tile'), { recursive: true, force: true });
  writeLog(join(directory, 'was/1'), kept, by(old));
  const leaf = succession({
    from: { origin, ...(from ?? sizeOf(whole)) },
    kept: sizeOf(kept),
    to: next,
    by: [endorser, next],
  });
  const first = keyLeaf(next, '2026-03-01T00:00:00.000Z');
  writeLog(directory, [first, leaf, ...(heads ?? [await head('a', 7, 'second'), await head('b', 2)])], by(next));
  await putGrowth(2, 5, 'a', 7, 'second');
  await putGrowth(2, 3, 'a', 7, 'second');
}

async function seen(leaves?: readonly Uint8Array[]): Promise<void> {
  writeLog(directory, leaves ?? (await oldLog()).whole, by(old));
  expect(await visit()).toMatchObject({ code: 0 });
}

describe('a log that follows one that was audited', () => {
  it('is refused until it is accepted, and what was lost is named exactly', async () => {
    await seen();
    await succeed({ heads: [await head('a', 3), await head('b', 2)] });
    const before = readFileSync(state, 'utf8');
    const { code, text } = await visit();
    expect(code).toBe(1);
    expect(text).toContain('of its 6 leaves the last 3 are lost (leaves 3 to 5)');
    expect(text).toContain('had seen 6 leaves, of which 3 are lost');
    expect(text).toContain('the last logged heads of 0 chains, and not those of 3');
    expect(text).toContain(
      `${tagOf('a')}: its last logged head had 5 entries (leaf 3); the new log begins with 3: at least the last 2 are lost`,
    );
    expect(text).toContain(
      `${tagOf('b')}: its last logged head had 6 entries (leaf 5); the new log begins with 2: at least the last 4 are lost`,
    );
    expect(text).toContain(`${tagOf('c')}: its last logged head had 4 entries (leaf 4); the new log has no head of it`);
    expect(readFileSync(state, 'utf8')).toBe(before);
    expect((await visit(true)).code).toBe(0);
    expect(await visit()).toMatchObject({ code: 0, text: expect.stringContaining('grown by 0 leaves') });
  });

  it('names a chain that has gone on otherwise, although it is longer', async () => {
    await seen();
    await succeed({ heads: [await head('a', 7, 'second'), await head('b', 6)] });
    const { code, text } = await visit();
    expect(code).toBe(1);
    expect(text).toContain(
      `${tagOf('a')}: its last logged head had 5 entries (leaf 3); the new log has 7 entries, of which the first 5 are not those`,
    );
    expect(text).toContain('the last logged heads of 1 chains');
    rmSync(join(directory, 'growth'), { recursive: true });
    expect((await visit()).text).toContain('does not show that it extends them');
  });

  it('is known to anyone who comes for the first time, with the old key, the new one or none', async () => {
    await succeed({ heads: [await head('a', 3), await head('b', 2)] });
    for (const key of [[old.key], [next.key], []]) {
      const given = key.map(formatVerifierKey);
      expect(await visit(false, given)).toMatchObject({ code: 1, text: expect.stringContaining('has ended') });
      expect(await visit(true, given)).toMatchObject({ code: 0 });
      rmSync(state);
    }
    expect((await visit(true, [formatVerifierKey(outsider.key)])).code).toBe(1);
  });

  it('is not followed when the old key has not endorsed it', async () => {
    await seen();
    await succeed({ by: outsider });
    const { code, text } = await visit(true);
    expect(text).toContain('endorsed by no known key of log.example that is in use');
    expect(code).toBe(1);
  });
});

describe('a succession that is not true', () => {
  it('conceals a checkpoint of the old log, which is evidence', async () => {
    await seen();
    const { whole } = await oldLog();
    await succeed({ from: sizeOf(whole.slice(0, 5)) });
    const { code, text } = await visit(true);
    expect(code).toBe(1);
    expect(text).toContain('the checkpoint of 6 leaves that was seen before is not one that it could follow');
    expect(await evaluated()).toMatchObject({
      code: 0,
      text: expect.stringContaining('has signed a checkpoint of 6 leaves'),
    });
  });

  it('has a head that does not continue from one that was kept: shorter, other or longer', async () => {
    for (const heads of [
      [await head('a', 2), await head('b', 2)],
      [await head('a', 3, 'second'), await head('b', 2)],
      [await head('a', 7, 'second'), await head('b', 2)],
    ]) {
      await succeed({ heads });
      const { code, text } = await visit(true);
      expect(text).toContain(`The succession is not true: chain ${tagOf('a')}`);
      expect(code).toBe(1);
      const shown = await evaluated();
      expect(shown.text).toMatch(
        /log\.example\/2 has a head of \d entries \(leaf 2\) that .* of which it says that 3 leaves were kept/,
      );
      expect(shown.code).toBe(0);
      const evidence = JSON.parse(readFileSync(`${state}.evidence.json`, 'utf8'));
      const broken = join(directory, 'broken.json');
      writeFileSync(broken, JSON.stringify({ ...evidence, heads: [evidence.heads[0], evidence.heads[0]] }));
      expect((await evaluated(broken)).code).toBe(1);
      rmSync(`${state}.evidence.json`);
    }
  });

  it('has a kept head that the new log leaves out', async () => {
    await succeed({ heads: [await head('b', 2)] });
    expect(await visit(true)).toMatchObject({ code: 1, text: expect.stringContaining('The succession is not true') });
  });

  it('has a second one beside it, which is evidence', async () => {
    const { kept, whole } = await oldLog();
    const made = { from: { origin, ...sizeOf(whole) }, kept: sizeOf(kept) };
    const [one, other] = [next, another].map((to) => succession({ ...made, to, by: [old, to] }));
    const path = join(directory, 'two.json');
    const keys = [new Uint8Array(keyLeaf(old, '2026-01-01T00:00:00.000Z'))];
    if (!one || !other) throw new Error('there are two');
    writeFileSync(path, writeEvidence({ kind: 'successors', keys, successions: [one, other] }));
    expect(await evaluated(path)).toMatchObject({ code: 0, text: expect.stringContaining('has two successors') });
    writeFileSync(path, writeEvidence({ kind: 'successors', keys, successions: [one, one] }));
    expect((await evaluated(path)).code).toBe(1);
    const forged = succession({ ...made, kept: { size: 2, root: rootOf('x') }, to: another, by: [outsider, another] });
    writeFileSync(path, writeEvidence({ kind: 'successors', keys, successions: [one, forged] }));
    expect((await evaluated(path)).code).toBe(1);
  });
});
