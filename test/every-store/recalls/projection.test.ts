import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../../contracts/entries/entry.js';
import type { Recorded } from '../../../contracts/entries/recorded.js';
import { leastRecalls, recallsProjection } from '../../../projections/recalls/projection.js';
import { newStore } from '../../maintenance/store.js';

const store = await newStore();
afterAll(() => store.close());
beforeEach(async () => {
  await store.sql('truncate memory_uses, memory_recalls');
  next = 0;
});

const id = (n: number): string => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const [workspace, namespace, other] = [id(1), id(2), id(3)];
const [tram, train] = [id(11), id(12)];
const commitment = '0'.repeat(64);

interface When {
  readonly at?: string;
  /** The beginning of the hash: a small number removes old recalls. */
  readonly hash?: string;
}

let next = 0;
function head({ at = '2026-03-01T10:00:00.000Z' }: When) {
  next += 1;
  const actor: Entry['actor'] = { type: 'key', id: null, user_id: null, agent_id: null, app_id: null, run_id: null };
  const place = { workspace_id: workspace, seq: next, receipt_id: `rcp_${next}`, recorded_at: at, prev_hash: '' };
  return { v: 1 as const, ...place, actor };
}

const recordedAs = (entry: Entry, { hash = 'ff' }: When = {}, deposit: Recorded['deposit'] = null): Recorded => ({
  entry,
  hash: hash.padEnd(64, 'f'),
  deposit,
});

function write(
  memory_id: string,
  deposit: Recorded['deposit'] = { receiptId: '', salt: new Uint8Array(32), texts: {} },
) {
  const texts = { content_commitment: commitment, metadata_commitment: commitment, source_commitment: null };
  const body = { memory_id, job_id: memory_id, namespace_id: namespace, ...texts, content_bytes: 1, playground: false };
  return recordedAs({ ...head({}), kind: 'memory.write', body }, {}, deposit);
}

function recall(memories: readonly string[], when: When = {}): Recorded {
  const results = memories.map((memory_id) => ({ memory_id, receipt_hash: commitment }));
  const how = { namespace_ids: [namespace], mode: 'fused', degraded: [], k: 8 };
  const body = { query_commitment: commitment, ...how, results };
  return recordedAs({ ...head(when), kind: 'memory.recall', body }, when);
}

const remove = (memory_id: string): Recorded =>
  recordedAs({
    ...head({}),
    kind: 'memory.delete',
    body: { memory_id, namespace_id: namespace, write_receipt_id: 'rcp_1', write_receipt_hash: commitment },
  });

const move = (memory_id: string, to: string): Recorded =>
  recordedAs({
    ...head({}),
    kind: 'memory.moved',
    body: { memory_id, from: namespace, to, write_receipt_id: 'rcp_1' },
  });

const apply = (recorded: readonly Recorded[]) =>
  store.database.transaction((tx) => recallsProjection.fold.apply(tx, recorded));

async function rows() {
  const [uses, recalls] = await Promise.all([
    store.sql<{ row: string }>(
      `select memory_id || ' ' || namespace_id || ' ' || recalled_on as row from memory_uses order by 1`,
    ),
    store.sql<{ row: string }>(`select memory_id || ' ' || seq as row from memory_recalls order by memory_id, seq`),
  ]);
  return { uses: uses.map(({ row }) => row), recalls: recalls.map(({ row }) => row) };
}

describe('the recalls of memories', () => {
  // @covers RECALLS-KEPT
  it('are kept for each memory among the results, with the day of the last one', async () => {
    await apply([write(tram), write(train)]);
    await apply([recall([tram, train])]);
    await apply([recall([tram], { at: '2026-03-02T23:59:59.999Z' })]);
    expect(await rows()).toEqual({
      uses: [`${tram} ${namespace} 2026-03-02`, `${train} ${namespace} 2026-03-01`],
      recalls: [`${tram} 3`, `${tram} 4`, `${train} 3`],
    });
  });

  // @covers RECALLS-ERASED
  it('are gone with the memory, and a recall that was recorded after the deletion leaves nothing', async () => {
    await apply([write(tram), write(train)]);
    await apply([recall([tram, train])]);
    await apply([remove(tram)]);
    await apply([recall([tram, train])]);
    expect(await rows()).toEqual({
      uses: [`${train} ${namespace} 2026-03-01`],
      recalls: [`${train} 3`, `${train} 5`],
    });
  });

  it('follow a memory to another namespace, and do not depend on texts', async () => {
    await apply([write(tram), write(train, null)]);
    await apply([move(tram, other), recall([train])]);
    expect(await rows()).toEqual({
      uses: [`${tram} ${other} -infinity`, `${train} ${namespace} 2026-03-01`],
      recalls: [`${train} 4`],
    });
  });

  it('cannot fail by a memory that is in the results twice', async () => {
    await apply([write(tram), recall([tram, tram])]);
    expect((await rows()).recalls).toEqual([`${tram} 2`]);
  });

  // @covers RECALLS-BOUNDED
  it('are pruned to the newest now and then, with the same rows in any batches they are replayed', async () => {
    const many = (count: number, when?: When) => Array.from({ length: count }, () => recall([tram], when));
    const history = [
      ...[write(tram), write(train), recall([train])],
      ...many(leastRecalls),
      ...many(1, { hash: '00' }),
      ...many(120),
      ...many(1, { hash: '01', at: '2026-03-02T00:00:00.000Z' }),
      ...many(50),
    ];
    await apply(history);
    const whole = await rows();
    expect(whole.uses).toEqual([`${tram} ${namespace} 2026-03-02`, `${train} ${namespace} 2026-03-01`]);
    expect(whole.recalls.length).toBe(1 + leastRecalls + 50);
    expect(whole.recalls[0]).toBe(`${tram} ${history.length - leastRecalls - 50 + 1}`);
    for (const size of [97, 400]) {
      await store.sql('truncate memory_uses, memory_recalls');
      for (let from = 0; from < history.length; from += size) await apply(history.slice(from, from + size));
      expect(await rows()).toEqual(whole);
    }
  });
});
