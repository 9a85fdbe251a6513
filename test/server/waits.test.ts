import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenedDatabase, StoreUnavailable } from '../../src/database/database.js';
import { openDatabase } from '../../src/database/open.js';
import { dropDatabase, freshDatabase } from '../support/fresh-database.js';

let url: string;
let database: OpenedDatabase;
beforeAll(async () => {
  url = await freshDatabase();
  database = await openDatabase({ kind: 'server', url });
  await database.transaction((tx) => tx.query('create table held (n int)'));
});
afterAll(async () => {
  await database.close();
  await dropDatabase(url);
});

const ask = () => database.prompt.transaction((tx) => tx.query<{ n: number }>('select 1 as n'));

it('ends a statement that someone waits for, and allows one of a check continue', async () => {
  const [prompt, patient] = await Promise.allSettled([
    database.prompt.read((tx) => tx.query('select pg_sleep(13)')),
    database.read((tx) => tx.query('select pg_sleep(13)')),
  ]);
  expect(prompt).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
  expect(patient.status).toBe('fulfilled');
  expect(await ask()).toEqual([{ n: 1 }]);
});

it('waits for a lock no longer than others wait for an answer, and keeps nothing', async () => {
  await database.transaction(async (holder) => {
    await holder.query('lock table held in access exclusive mode');
    await expect(database.prompt.transaction((tx) => tx.query('insert into held values (1)'))).rejects.toThrow(
      StoreUnavailable,
    );
  });
  expect(await database.prompt.read((tx) => tx.query('select n from held'))).toEqual([]);
});

it('throws a connection away that the server has ended, and says so to anyone who was using it', async () => {
  const killed = database.prompt.transaction(async (tx) => {
    const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    await database.transaction((other) => other.query('select pg_terminate_backend($1)', [own?.pid ?? 0]));
    await tx.query('insert into held values (2)');
  });
  await expect(killed).rejects.toThrow(StoreUnavailable);
  expect(await ask()).toEqual([{ n: 1 }]);
  expect(await database.prompt.read((tx) => tx.query('select n from held'))).toEqual([]);
});

it('leaves an error of ours what it is', async () => {
  await expect(database.prompt.read((tx) => tx.query('select n from nowhere'))).rejects.toMatchObject({
    code: '42P01',
  });
  await expect(database.prompt.transaction(() => Promise.reject(new Error('ours')))).rejects.toThrow('ours');
});
