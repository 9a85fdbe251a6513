import { afterAll, beforeAll, expect, test } from 'vitest';
import { logChain } from '../../../../contracts/log.js';
import { addSigningKey } from '../../../../src/adapters/signing-keys.js';
import type { Caller } from '../../../../src/domain/caller.js';
import { canonicalBytes } from '../../../../src/ledger/chain.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { formatNote, signNote } from '../../../../src/tlog/note-writer.js';
import { toUtf8 } from '../../../../src/verifier/bytes.js';
import { parseNote } from '../../../../src/verifier/note.js';
import { createChain, easyTarget } from '../../../anchoring/bitcoin.js';
import { openLog, type StoreLog } from '../../../maintenance/log-store.js';
import { fill, models, newStore, type Store } from '../../../maintenance/store.js';

let store: Store;
let log: StoreLog;
let caller: Caller;
let other: Caller;
const chain = createChain();

/** Three checkpoints: one of two workspaces, one with a second key and a grown workspace, one signed with both keys. */
beforeAll(async () => {
  store = await newStore();
  log = openLog(store);
  ({ caller, other } = await fill(store, 300));
  addSigningKey(log.directory, new Date());
  await store.add(caller, 'after the first checkpoint');
  await log.checkpoint();
  await log.anchor(chain);
  await store.add(caller, 'after the second checkpoint');
  await log.checkpoint();
});
afterAll(() => store.close());

const check = (over: typeof models = [], signer = log.keys) =>
  fsck(store.database, over, { onProgress: () => undefined, signer, easiest: () => easyTarget });

/** Breaks the store with `damage`, expects the sentence, and puts back what was there. */
async function finds(tables: readonly string[], damage: () => Promise<unknown>, ...parts: readonly string[]) {
  for (const table of tables) await store.sql(`create table saved_${table} as select * from ${table}`);
  try {
    await damage();
    const { faults } = await check();
    for (const part of parts) expect(faults).toContain(part);
  } finally {
    for (const table of tables.toReversed()) await store.sql(`delete from ${table}`);
    for (const table of tables) {
      await store.sql(`insert into ${table} select * from saved_${table}`);
      await store.sql(`drop table saved_${table}`);
    }
  }
  expect((await check()).faults).toBeNull();
}

interface Leaf {
  index: number;
  leaf: string;
  size: number | null;
}

const leavesOf = (caller: Caller | null) =>
  store.sql<Leaf & Record<string, unknown>>(
    'select index, leaf, size from log_leaves where workspace_id is not distinct from $1 order by index',
    [caller?.workspaceId ?? null],
  );

/** Changes members of the first head of a workspace, or of the last key. */
async function change(caller: Caller | null, members: Record<string, unknown>): Promise<number> {
  const rows = await leavesOf(caller);
  const row = caller ? rows[0] : rows.at(-1);
  if (!row) throw new Error('there is no such leaf');
  const leaf = Buffer.from(canonicalBytes({ ...JSON.parse(row.leaf), ...members })).toString('utf8');
  await store.sql('update log_leaves set leaf = $2 where index = $1', [row.index, leaf]);
  return row.index;
}

const flip = (column: string) => `${column} = set_byte(${column}, 5, get_byte(${column}, 5) # 1)`;

test('a sound store has no fault, and all leaves of all trees were looked at', async () => {
  const labels = new Map<string, [number, number]>();
  const { faults } = await fsck(store.database, models, {
    onProgress: (label, done, total) => labels.set(label, [done, total]),
    signer: log.keys,
    easiest: () => easyTarget,
  });
  expect(faults).toBeNull();
  const [entries] = await store.sql<{ n: number }>('select count(*) as n from entries where chain <> $1', [logChain]);
  const [signed] = await store.sql<{ n: number }>('select max(size) as n from checkpoints');
  const leaves = (entries?.n ?? 0) + (signed?.n ?? 0);
  expect(labels.get('trees')).toEqual([leaves, leaves]);
});

test('a block of Bitcoin itself would have cost more than the simulated one', async () => {
  const { faults } = await fsck(store.database, [], { onProgress: () => undefined });
  expect(faults).toContain('easier to mine');
});

test('tiles: another hash, a missing one, one too many, and a tree beyond its chain', async () => {
  const name = () => `of the table tiles, tile 0 of level 1 of the tree of workspace ${caller.workspaceId}`;
  await finds(['tiles'], () => store.sql(`update tiles set ${flip('hashes')}`), name(), 'another hash at 0');
  await finds(['tiles'], () => store.sql('delete from tiles'), `A row ${name()}, is missing`);
  await finds(['tiles'], () => store.sql(`update tiles set hashes = hashes || hashes`), 'does not have the length');
  await finds(
    ['tiles'],
    () => store.sql(`insert into tiles select tree, 2, 0, hashes from tiles`),
    'tile 0 of level 2',
    'does not have the length',
  );
  await finds(
    ['trees', 'tiles'],
    () => store.sql('update trees set size = size + 1000 where tree = $1', [caller.workspaceId]),
    `the tree of workspace ${caller.workspaceId} has`,
    'its head in the table chains is entry',
  );
  await finds(
    ['trees', 'tiles'],
    () => store.sql('update trees set size = 200 where tree = $1', [caller.workspaceId]),
    'has 200 leaves, and the table log_leaves has a head of',
  );
  await finds(
    ['trees', 'tiles'],
    () => store.sql(`insert into trees values ('00000000-0000-4000-8000-000000000000', 1)`),
    'belongs to no chain',
  );
});

test('heads: tag, hash, root, size, form, order, and a head of no one', async () => {
  const where = async () => `Leaf ${(await leavesOf(other))[0]?.index} of the table log_leaves, a head of workspace`;
  const zeros = '0'.repeat(64);
  const wrong: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ tag: zeros }, 'has a tag that does not follow'],
    [{ head_hash: zeros }, 'does not have the hash of entry'],
    [{ root: zeros }, 'does not have the root of the first'],
    [{ size: 1 }, 'says it is of 1 entries where its row says'],
    [{ more: 1 }, 'cannot be read: the head leaf has an unknown member'],
  ];
  for (const [members, fault] of wrong) {
    await finds(['log_leaves'], () => change(other, members), `${await where()} ${other.workspaceId}`, fault);
  }
  await finds(
    ['log_leaves'],
    () => store.sql(`update log_leaves set leaf = leaf || ' ' where workspace_id = $1`, [other.workspaceId]),
    'cannot be read: JSON that is not in canonical form',
  );
  await finds(
    ['log_leaves'],
    () => store.sql('update log_leaves set index = 1000 - index where workspace_id = $1', [caller.workspaceId]),
    'has a smaller one of its tag after it',
  );
  await finds(
    ['log_leaves'],
    () => store.sql(`update log_leaves set workspace_id = '00000000-0000-4000-8000-000000000000' where index = 1`),
    'which has no chain',
  );
});

test('a dropped tail, when the head was set back and the read models rebuilt', async () => {
  const [was] = await store.sql<{ head_hash: Uint8Array; head_seq: number }>(
    'select head_hash, head_seq from chains where chain = $1',
    [other.workspaceId],
  );
  const [head] = await store.sql<{ hash: Uint8Array }>('select hash from entries where chain = $1 and seq = 2', [
    other.workspaceId,
  ]);
  const set = (seq: number, hash: Uint8Array) =>
    store.sql('update chains set head_seq = $2, head_hash = $3 where chain = $1', [other.workspaceId, seq, hash]);
  await store.sql('create table saved as select * from entries where chain = $1 and seq > 2', [other.workspaceId]);
  await store.sql('create table kept as select v.* from vault v join saved using (receipt_id)');
  await store.sql('delete from vault using saved where vault.receipt_id = saved.receipt_id');
  await store.sql('delete from entries where chain = $1 and seq > 2', [other.workspaceId]);
  await set(2, head?.hash ?? new Uint8Array());
  expect((await check()).faults).toBe(
    `The table log_leaves has a head of ${was?.head_seq} entries of workspace ${other.workspaceId}, whose head in the table chains is entry 2.`,
  );
  await store.sql('insert into entries select * from saved');
  await store.sql('insert into vault select * from kept');
  await set(was?.head_seq ?? 0, was?.head_hash ?? new Uint8Array());
  expect((await check()).faults).toBeNull();
});

test('keys: not first, not endorsed, wrongly endorsed, of another log', async () => {
  const [, second] = await leavesOf(null);
  const { endorsements } = JSON.parse(second?.leaf ?? '{}');
  const named = `Leaf ${second?.index} of the table log_leaves, a signing key, `;
  const signature = Buffer.alloc(64).toString('base64');
  await finds(['log_leaves'], () => change(null, { endorsements: [] }), `${named}is endorsed by no earlier key`);
  const forged = [{ ...endorsements[0], signature }];
  await finds(['log_leaves'], () => change(null, { endorsements: forged }), `${named}has a wrong endorsement by key`);
  await finds(['log_leaves'], () => change(null, { name: 'other' }), `${named}is a key of another log, other`);
  await finds(['log_leaves'], () => change(null, { v: 2 }), `${named}cannot be read`);
  await finds(['log_leaves'], () => store.sql('delete from log_leaves where index = 0'), 'first one and not leaf 0');
});

test('leaves of the log: one missing, one changed', async () => {
  await finds(
    ['log_leaves'],
    () => store.sql('delete from log_leaves where workspace_id = $1', [other.workspaceId]),
    'the tree of the public log',
    'missing from the table log_leaves',
  );
  await finds(
    ['log_leaves'],
    () => store.sql(`update log_leaves set ${flip('hash')} where index = 1`),
    'does not have the root of the first',
    'of the table log_leaves',
  );
});

test('checkpoints: unreadable, of another size, root or log, signed by no one or too early', async () => {
  const rows = await store.sql<{ size: number; note: string }>('select size, note from checkpoints order by size');
  const [first, second, third] = rows;
  const named = `The checkpoint of ${second?.size} leaves in the table checkpoints`;
  const put = (note: string) => () =>
    store.sql('update checkpoints set note = $2 where size = $1', [second?.size ?? 0, note]);
  await finds(['checkpoints'], put('nothing'), `${named} cannot be read`);
  await finds(['checkpoints'], put(third?.note ?? ''), `${named} has a note of ${third?.size} leaves`);
  await finds(['checkpoints'], () => store.sql(`update checkpoints set ${flip('root')}`), 'another root than its row');
  const { text, signatures } = parseNote(toUtf8(second?.note ?? ''));
  expect(signatures).toHaveLength(1);
  const [, late] = log.keys.read()?.keys ?? [];
  if (!late) throw new Error('there is no second key');
  const early = formatNote({ text, signatures: [signNote(text, late.signer)] });
  await finds(
    ['checkpoints'],
    put(Buffer.from(early).toString('utf8')),
    `${named} is not signed by a key that the log`,
  );
  const forged = formatNote({ text, signatures: signatures.map((one) => ({ ...one, signature: new Uint8Array(64) })) });
  await finds(['checkpoints'], put(Buffer.from(forged).toString('utf8')), `${named} is not signed`, 'is wrong');
  expect(parseNote(toUtf8(first?.note ?? '')).signatures).toHaveLength(1);
  expect(parseNote(toUtf8(third?.note ?? '')).signatures).toHaveLength(2);
});

test('anchors: another digest, another timestamp, a block that does not hold it, none', async () => {
  const change = (set: string) => () => store.sql(`update anchors set ${set} where state = 'confirmed'`);
  await finds(['anchors'], change(`digest = repeat('0', 64)`), 'has a digest that is not the SHA-256 of its text');
  await finds(['anchors'], change(`proof = '\\x00'`), 'has a timestamp that does not hold: the timestamp cannot be');
  await finds(['anchors'], change(`promised = '\\x00'`), 'was promised something else');
  const header = Buffer.from(chain.block(0)?.header ?? []).toString('hex');
  await finds(['anchors'], change(`header = '\\x${header}'`), 'does not contain it');
  await finds(['anchors'], change('header = null'), 'said to be confirmed, and its timestamp does not show it');
  await finds(['anchors'], change(`block_hash = repeat('0', 64)`), 'names another one');
  await finds(['anchors'], change('proof = null'), 'has no timestamp');
});

test('a store that is behind what was signed last, or another one', async () => {
  const last = log.keys.record();
  if (!last) throw new Error('nothing was signed');
  const signed = (next: typeof last) => check([], { ...log.keys, record: () => next });
  expect((await signed({ ...last, size: last.size + 3 })).faults).toMatch(
    new RegExp(`^A checkpoint of ${last.size + 3} leaves was signed with the keys in .*only ${last.size} leaves`),
  );
  expect((await signed({ ...last, root: '0'.repeat(64) })).faults).toContain('has another root at that size');
  expect((await signed(last)).faults).toBeNull();
});

test('a checkpoint signed behind a bigger one', async () => {
  const [row] = await store.sql<{ size: number; note: string }>('select size, note from checkpoints order by size');
  if (!row) throw new Error('there is no checkpoint');
  const size = row.size + 1;
  await log.record({ kind: 'checkpoint.signed', body: { size, root: '0'.repeat(64), note: row.note } });
  expect((await check()).faults).toMatch(
    new RegExp(`is a checkpoint of ${size} leaves, signed behind one of \\d+\\.$`, 'm'),
  );
});
