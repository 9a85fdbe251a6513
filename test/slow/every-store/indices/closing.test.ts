import { createHash } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registryChain } from '../../../../contracts/chains.js';
import type { CloseBody } from '../../../../contracts/entries/registry.js';
import { closeFileFaults } from '../../../../projections/closes/stored.js';
import { insertRows } from '../../../../projections/projection.js';
import { collectFaults } from '../../../../src/base/faults.js';
import { realWorld } from '../../../../src/base/world.js';
import { closeDay } from '../../../../src/commands/close-day.js';
import type { Fact } from '../../../../src/domain/market/fact.js';
import { closingOf, dayOf, dayText } from '../../../../src/domain/market/indices/days.js';
import { canonical } from '../../../../src/verifier/canonical.js';
import { emptyRoot } from '../../../../src/verifier/merkle.js';
import { closing } from '../../../../src/workers/closing.js';
import { deriveClose } from '../../../../src/workers/derive-close.js';
import { anyDay } from '../../../indices/economy.js';
import { closesOf } from '../../../indices/on-paper.js';
import { newStore, type Store } from '../../../maintenance/store.js';
import { random } from '../../../market/random.js';

const days = 9;
const today = dayOf(Date.now());
const first = today - days - 3;
const log = pino({ level: 'silent' });
const never = new AbortController().signal;

interface Stored extends Record<string, unknown> {
  day: string;
  levels: string;
  receipts: number;
  root: string;
  facts_hash: string;
  recorded_ms: number;
  bytes: Uint8Array;
}

describe('the worker that closes days', () => {
  let store: Store;
  let facts: Fact[];
  beforeAll(async () => {
    store = await newStore();
    const chance = random(21);
    // A gap is between the first days and the last one.
    facts = Array.from({ length: days }, (_, at) => anyDay(chance, first + at)).flat();
    await store.database.transaction((tx) => insertRows(tx, 'facts', facts));
  });
  afterAll(() => store.close());

  const record = (close: CloseBody) => store.run(registryChain, closeDay(realWorld, close));
  /** A process with a clock of its own. */
  const worker = (
    now: () => number,
    doing: (close: CloseBody) => Promise<boolean> = record,
    serverClock: (() => Promise<number>) | null = null,
  ) => {
    const world = { now: () => new Date(now()), doubt: () => null };
    const parts = { database: store.database, log, world, owner: realWorld.nonce(), settle: async () => true };
    return closing({ ...parts, serverClock, record: doing });
  };
  const stored = () =>
    store.sql<Stored>('select c.*, f.bytes from closes c join close_files f on f.day = c.day order by c.day');

  // @covers CLOSE-ONCE
  it('closes nothing before its moment, and then one day after the other, also when it is stopped before it records one', async () => {
    const [start] = closesOf(facts, today - 2);
    const firstDay = start?.close.day ?? 0;
    const moment = closingOf(firstDay) + 5000;
    expect(await worker(() => moment - 1).work(never)).toBe(false);
    expect(
      await worker(
        () => moment,
        record,
        async () => moment - 1,
      ).work(never),
    ).toBe(false);
    const ends = worker(
      () => moment,
      async () => {
        throw new Error('the process was killed');
      },
    );
    await expect(ends.work(never)).rejects.toThrow('killed');
    await ends.lease?.drop();
    expect(await stored()).toEqual([]);
    const again = worker(() => moment);
    expect(await again.work(never)).toBe(true);
    expect(await again.work(never)).toBe(false);
    expect((await stored()).map(({ day }) => day)).toEqual([dayText(firstDay)]);
    await again.lease?.drop();
  });

  // @covers CLOSE-ONCE
  it('closes every day once when several processes derive the same one', async () => {
    const next = async () => {
      const [last] = await store.sql<{ day: string | null }>('select max(day) as day from closes');
      return Date.parse(`${last?.day}T00:00:00.000Z`) / 86_400_000 + 1;
    };
    for (let day = await next(); day < today - 1; day = await next()) {
      const derived = await Promise.all([0, 1, 2].map(() => deriveClose(store.database, day, async () => true)));
      await store.database.transaction((tx) =>
        tx.query('insert into close_files values ($1, $2) on conflict do nothing', [
          dayText(day),
          derived[0]?.bytes ?? new Uint8Array(),
        ]),
      );
      const outcomes = await Promise.all(derived.map((close) => close && record(close.body)));
      expect(outcomes.filter((isFirst) => isFirst)).toHaveLength(1);
    }
    // A day that does not follow the last one, or has not ended, is not recorded.
    const body = { levels: {}, receipts: 0, root: '0'.repeat(64), facts_hash: '0'.repeat(64) };
    for (const day of [today - 2, today - 3, today + 1, today]) {
      expect(await record({ ...body, day: dayText(day) })).toBe(false);
    }
  });

  // @covers CLOSE-ENTRY INDEX-LATE
  it('has recorded what follows from the on-time receipts of each day', async () => {
    const rows = await stored();
    const expected = closesOf(facts, today - 2);
    expect(rows.map(({ day }) => day)).toEqual(expected.map(({ close }) => dayText(close.day)));
    for (const [at, row] of rows.entries()) {
      const bytes = Buffer.from(row.bytes);
      expect(bytes.toString('utf8')).toBe(canonical(expected[at]?.file));
      expect(row.facts_hash).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(JSON.parse(row.levels)).toEqual(expected[at]?.close.levels);
      expect([row.receipts, row.root]).toEqual([expected[at]?.file.receipts, expected[at]?.file.root]);
      if (row.receipts === 0) expect(row.root).toBe(Buffer.from(emptyRoot).toString('hex'));
    }
  });

  // @covers CLOSE-FSCK
  it('derives a file again that is missing, and fsck names one that is missing or was altered', async () => {
    const [, , row] = await stored();
    const at = [row?.day ?? ''];
    const fault = async () => {
      const faults = collectFaults();
      await store.database.read((tx) => closeFileFaults(tx, faults.found));
      return faults.lines();
    };
    expect(await fault()).toBe(null);
    await store.sql("update close_files set bytes = bytes || '\\x20'::bytea where day = $1", at);
    expect(await fault()).toMatch(`The file of the close of ${at} has the hash`);
    await store.sql('delete from close_files where day = $1', at);
    expect(await fault()).toMatch(`The file of the close of ${at} is missing`);
    const restoring = worker(() => closingOf(first));
    expect(await restoring.work(never)).toBe(true);
    await restoring.lease?.drop();
    expect((await stored())[2]).toEqual(row);
    expect(await fault()).toBe(null);
  });
});
