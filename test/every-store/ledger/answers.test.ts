import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StoredAnswer } from '../../../contracts/entries/recorded.js';
import type { OpenedDatabase } from '../../../src/database/database.js';
import { openDatabase } from '../../../src/database/open.js';
import { storeAnswers, storedAnswers } from '../../../src/ledger/answers.js';
import { insertChain } from '../../../src/ledger/entries.js';
import { preparedStoreAddress, type StoreAddress } from '../../support/new-store.js';

let address: StoreAddress;
let database: OpenedDatabase;

beforeAll(async () => {
  address = await preparedStoreAddress();
  database = await openDatabase(address.store);
  await database.transaction((tx) => insertChain(tx, chain, new Uint8Array(32), new Uint8Array(32)));
});

afterAll(async () => {
  await database.close();
  await address.remove();
});

const chain = '00000000-0000-4000-8000-000000000001';
const now = new Date('2026-06-01T12:00:00.000Z');
const tooOld = new Date(now.getTime() - 25 * 3_600_000);

const answer = (requestKey: string, at: Date, body = '{}'): StoredAnswer => ({
  requestKey,
  digest: 'a'.repeat(64),
  status: 201,
  body,
  reveals: [],
  bodyWithout: null,
  answeredAt: at.toISOString(),
  receiptId: null,
});

const storing = (...answers: StoredAnswer[]) =>
  database.transaction((tx) =>
    storeAnswers(
      tx,
      answers.map((one) => ({ ...one, chain })),
    ),
  );

// @covers RETENTION-ANSWERS
it('old answers go in small steps, and a key is free again as soon as its answer is too old', async () => {
  await storing(...Array.from({ length: 1000 }, (_, n) => answer(`old ${n}`, tooOld)));
  const left = async () => {
    const [row] = await database.read((tx) => tx.query<{ rows: number }>('select count(*) as rows from answers'));
    return row?.rows;
  };
  await storing(answer('old 999', now, '"new"'));
  const found = await database.read((tx) => storedAnswers(tx, chain, ['old 999', 'old 998'], now));
  expect([...found].map(([key, { body }]) => [key, body])).toEqual([['old 999', '"new"']]);
  expect(await left()).toBeGreaterThan(700);
  await storing(answer('old 999', now, '"a later try of the same append"'));
  expect((await database.read((tx) => storedAnswers(tx, chain, ['old 999'], now))).get('old 999')?.body).toBe('"new"');
  for (let n = 0; n < 6; n += 1) await storing(answer(`new ${n}`, now));
  expect(await left()).toBe(7);
});
