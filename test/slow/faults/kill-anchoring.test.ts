import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { logChain } from '../../../contracts/log.js';
import { openDatabase } from '../../../src/database/open.js';
import { formatTilePath } from '../../../src/tlog/tile-path.js';
import { parseCheckpoint } from '../../../src/verifier/checkpoint.js';
import { parseNote, parseVerifierKey, verifyNote } from '../../../src/verifier/note.js';
import { readDetached } from '../../../src/verifier/ots/read.js';
import { createChain } from '../../anchoring/bitcoin.js';
import { type CalendarServer, startCalendar } from '../../anchoring/calendar.js';
import { bare, program, start } from '../../faults/service-process.js';
import { quickStore } from '../../support/prepared-store.js';
import { repeats } from '../../support/repeats.js';
import { naiveTree } from '../../verifier/naive-tree.js';

/** How often the service is killed. A short run shows that nothing is broken; the figure is from a long one. */
const kills = repeats('KILLS');
const key = 'ak_kill00000000000000000000000000000';
const run = promisify(execFile);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const get = (url: string) => fetch(url, { headers: { authorization: `Bearer ${key}` } });

/** Writes, and asks for proofs, until the service is gone. */
async function load(origin: string): Promise<void> {
  for (let i = 0; ; i += 1) {
    const body = JSON.stringify({ content: `memory ${i} of ${origin} ${Math.random()}` });
    const headers = { authorization: `Bearer ${key}` };
    const added = await fetch(`${origin}/v1/memories`, { method: 'POST', headers, body });
    const [, receipt] = /"receipt_id":"([^"]+)"/.exec(await added.text()) ?? [];
    if (i % 5 === 0) await get(`${origin}/v1/receipts/${receipt}/proof`);
    await pause(50);
  }
}

/** Keeps every checkpoint that anybody could have seen. */
async function watch(origin: string, seen: Set<string>): Promise<void> {
  for (;;) {
    const answer = await fetch(`${origin}/v1/ledger/checkpoint`);
    const note = await answer.text();
    if (answer.status === 200) seen.add(note);
    await pause(100);
  }
}

async function leavesOf(origin: string, size: number): Promise<Uint8Array[]> {
  const leaves: Uint8Array[] = [];
  for (let index = 0; leaves.length < size; index += 1) {
    const width = Math.min(256, size - leaves.length);
    const tile = await fetch(`${origin}/v1/ledger/${formatTilePath({ level: 0, index, width })}`);
    const bytes = new Uint8Array(await tile.arrayBuffer());
    for (let at = 0; at < width; at += 1) leaves.push(bytes.slice(32 * at, 32 * at + 32));
  }
  return leaves;
}

/** Every checkpoint that was ever seen is signed by the log, and a beginning of the newest one. */
async function checkSeen(origin: string, seen: ReadonlySet<string>): Promise<void> {
  const listed = await (await fetch(`${origin}/v1/ledger/keys`)).text();
  const keys = [...listed.matchAll(/"verifier_key":"([^"]+)"/g)].map(([, text = '']) => parseVerifierKey(text));
  const notes = [...seen].map((note) => parseNote(Buffer.from(note, 'utf8')));
  for (const note of notes) expect(verifyNote(note, keys)).toHaveLength(1);
  const checkpoints = notes.map(({ text }) => parseCheckpoint(text));
  const tree = naiveTree(await leavesOf(origin, Math.max(...checkpoints.map(({ size }) => size))));
  for (const { size, root } of checkpoints) expect(tree.root(size), `the tree of ${size} leaves`).toEqual(root);
}

/** No checkpoint was submitted again after it had been recorded: a kill costs each calendar one at most. */
async function checkSubmissions(dataDir: string, calendar: CalendarServer, killed: number): Promise<number> {
  const database = await openDatabase({ kind: 'embedded', dataDir });
  const rows = await database.read((tx) =>
    tx.query<{ size: string; ots: string }>(
      `select e #>> '{body,size}' as size, e #>> '{body,ots}' as ots
         from (select convert_from(bytes, 'UTF8')::json as e from entries where chain = $1) parsed
        where e ->> 'kind' = 'anchor.submitted'`,
      [logChain],
    ),
  );
  await database.close();
  expect(new Set(rows.map(({ size }) => size)).size).toBe(rows.length);
  // The digest, a nonce behind it, and the hash of both, which is what calendars see.
  const recorded = rows.map(({ ots }) => {
    const [nonce] = readDetached(new Uint8Array(Buffer.from(ots, 'base64'))).timestamp.branches;
    return Buffer.from(nonce?.timestamp.branches[0]?.timestamp.message ?? []).toString('hex');
  });
  for (const message of recorded) expect(calendar.submitted).toContain(message);
  expect(calendar.submitted.length - recorded.length).toBeLessThanOrEqual(killed);
  return recorded.length;
}

test(`kill -9 while checkpoints are signed and submitted, ${kills} times`, { timeout: 3_600_000 }, async () => {
  const directory = await quickStore();
  const chain = createChain();
  const calendar = await startCalendar(chain);
  const env = {
    DATA_DIR: directory,
    BOOTSTRAP_API_KEY: key,
    PORT: '0',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    ANCHOR_INTERVAL: '1s',
    OTS_CALENDARS: calendar.url,
  };
  const blocks = setInterval(() => {
    calendar.broadcast();
    chain.mine(6);
  }, 500);
  const seen = new Set<string>();
  for (let kill = 0; kill < kills; kill += 1) {
    const service = await start({ ...bare, ...env });
    const clients = Promise.allSettled([load(service.origin), watch(service.origin, seen)]);
    await pause(2000 + Math.random() * 6000);
    await service.kill();
    await clients;
    const checked = await run(process.execPath, [...program, 'fsck'], { env: { ...bare, ...env } });
    expect(checked.stdout).toContain('No fault');
  }
  const service = await start({ ...bare, ...env });
  await checkSeen(service.origin, seen);
  await service.kill();
  clearInterval(blocks);
  const submitted = await checkSubmissions(directory, calendar, kills + 1);
  expect(submitted).toBeGreaterThan(0);
  await calendar.close();
  rmSync(directory, { recursive: true, force: true });
  console.log(`${kills} kills, ${seen.size} checkpoints seen, all in one log; ${submitted} submitted, none again`);
});
