import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageVersion } from '../../../../src/base/version.js';
import { realWorld } from '../../../../src/base/world.js';
import { addMember, removeMember } from '../../../../src/commands/members.js';
import { changePassword } from '../../../../src/commands/passwords.js';
import type { Database } from '../../../../src/database/database.js';
import type { Caller } from '../../../../src/domain/caller.js';
import { prepareModels } from '../../../../src/maintenance/prepare-models.js';
import { discardPrepared, prepare } from '../../../../src/maintenance/prepared/prepare.js';
import { faultsOf } from '../../../maintenance/faults-of.js';
import { fill, models, newStore, type Store } from '../../../maintenance/store.js';

let store: Store;
let caller: Caller;
let ids: string[];
beforeEach(async () => {
  store = await newStore();
  ({ caller, ids } = await fill(store));
});
afterEach(() => store.close());

const fromLedger = models.filter(({ projection }) => projection !== null);

/** Makes the store one of a version before, in which all read models that are built from the ledger were others. */
const changeAll = () => store.sql(`update projections set version = version - 1 where name <> 'search'`);

interface Prepared {
  readonly text: string;
  readonly said: string[];
  readonly progress: (readonly [number, number])[];
}

async function prepared(other: { database?: Database; program?: string } = {}): Promise<Prepared> {
  const [said, progress]: [string[], [number, number][]] = [[], []];
  const { text } = await prepare(other.database ?? store.database, models, {
    program: other.program ?? packageVersion(),
    onProgress: (done, total) => progress.push([done, total]),
    say: (line) => said.push(line),
  });
  return { text, said, progress };
}

async function start(): Promise<string[]> {
  const lines: string[] = [];
  const info = (_: unknown, line?: string) => void lines.push(line ?? '');
  await prepareModels(store.database, models, { info });
  return lines;
}

const isThere = async () =>
  (await store.sql(`select 1 from pg_namespace where nspname = 'prepared_models'`)).length > 0;
const triggers = () => store.sql(`select 1 from pg_trigger where tgrelid = 'vault'::regclass and not tgisinternal`);

/** Every row of the prepared tables as text. */
async function shadowText(): Promise<string> {
  const rows = [];
  for (const table of fromLedger.flatMap(({ tables }) => tables)) {
    rows.push(...(await store.sql<{ row: string }>(`select t::text as row from prepared_models.${table} t`)));
  }
  return rows.map(({ row }) => row).join('\n');
}

/** The read models are those of this version, and as a replay of the whole ledger makes them. */
async function expectAsReplayed(): Promise<void> {
  const held = await store.sql<{ name: string; version: number }>('select name, version from projections');
  for (const model of models) {
    expect(held).toContainEqual({ name: model.name, version: model.version });
    expect([model.name, await faultsOf(model, store.database)]).toEqual([model.name, null]);
  }
  expect(await isThere()).toBe(false);
  expect(await triggers()).toEqual([]);
}

/** Fails with the transaction of this number, as a kill before its commit does. */
function killedAt(number: number): Database {
  let transactions = 0;
  return {
    ...store.database,
    async transaction(work) {
      transactions += 1;
      if (transactions >= number) throw new Error('killed');
      return store.database.transaction(work);
    },
  };
}

test('a start puts into service what was prepared, with what was written, deleted and granted since', async () => {
  await changeAll();
  const before = await store.sql('select xmin::text, * from memories order by id');
  const { text, said, progress } = await prepared();
  expect(text).toContain(`Prepared: ${fromLedger.map(({ name }) => name).join(', ')}`);
  expect(said).toEqual([expect.stringMatching(/^The tables that are built again have \d+ .*B\. The new ones need/)]);
  const last = progress.at(-1);
  expect(last?.[0]).toBe(last?.[1]);
  expect(await store.sql('select xmin::text, * from memories order by id')).toEqual(before);
  await store.add(caller, 'written after the preparation');
  await store.ingest();
  for (const id of ids.slice(0, 3)) await store.remove(caller, id);
  const agent = `agn_${'c'.repeat(32)}`;
  await store.link(caller, agent);
  await store.grants(caller, [agent]);
  await store.approvals(caller, ids.slice(3, 5));
  await store.checkpoint();
  expect(await start()).toEqual(['applying what came since these read models were prepared']);
  await expectAsReplayed();
});

test('what is deleted is erased from the prepared tables in the same transaction, and stays erased', async () => {
  const secret = await store.add(caller, 'a secret of the harbour', '{"berth": "quay seventeen"}');
  const agent = `agn_${'d'.repeat(32)}`;
  await store.link(caller, agent);
  const hook = await store.listen(caller, agent);
  await changeAll();
  await prepared();
  const [held] = await store.sql<{ hash: string }>('select content_hash as hash from memories where id = $1', [secret]);
  for (const shown of ['quay seventeen', held?.hash ?? '', secret]) expect(await shadowText()).toContain(shown);
  await store.remove(caller, secret);
  await store.unlisten(caller, agent, hook);
  const left = await shadowText();
  for (const shown of ['quay seventeen', held?.hash ?? '']) expect(left).not.toContain(shown);
  expect(await store.sql('select 1 from prepared_models.memory_terms where memory_id = $1', [secret])).toEqual([]);
  const [hidden] = await store.sql('select host, pattern from prepared_models.webhooks where id = $1', [hook]);
  expect(hidden).toEqual({ host: '', pattern: '{}' });
  await start();
  await expectAsReplayed();
});

test('the account of a member who is removed, or changes the password, is erased from the prepared tables', async () => {
  const { workspaceId } = caller;
  const owner: Caller = { ...caller, role: 'owner' };
  const [leaves, stays] = await Promise.all(
    ['leaves', 'stays'].map((name) => {
      const member = { role: 'member', email: `${name}@harbour.example`, passwordHash: `hash of ${name}` } as const;
      return store.run(workspaceId, addMember(realWorld, owner, { ...member, isReserved: false }));
    }),
  );
  await changeAll();
  await prepared();
  for (const shown of ['leaves@harbour.example', 'hash of stays']) expect(await shadowText()).toContain(shown);
  await store.run(workspaceId, removeMember(realWorld, owner, leaves?.id ?? ''));
  await store.run(workspaceId, changePassword(realWorld, owner.actor, stays?.id ?? '', 'another hash'));
  const left = await shadowText();
  for (const shown of ['leaves@harbour.example', 'hash of stays']) expect(left).not.toContain(shown);
  await prepared();
  expect(await shadowText()).toContain('another hash');
  await start();
  await expectAsReplayed();
});

test('a text that is erased between the reading and the writing of its batch is not written', async () => {
  const secret = await store.add(caller, 'a secret of the harbour', '{"berth": "quay seventeen"}');
  await changeAll();
  await expect(prepared({ database: killedAt(4) })).rejects.toThrow('killed');
  expect(await store.sql('select 1 from prepared_models.memories')).toEqual([]);
  let transactions = 0;
  const database: Database = {
    ...store.database,
    async transaction(work) {
      transactions += 1;
      // The first opens the tables, the second finds what is behind, the third reads, the fourth writes.
      if (transactions === 4) await store.remove(caller, secret);
      return store.database.transaction(work);
    },
  };
  await prepared({ database });
  expect(await store.sql('select 1 from prepared_models.memories')).not.toEqual([]);
  expect(await shadowText()).not.toContain('quay seventeen');
  await start();
  await expectAsReplayed();
});

test('after a kill the next run continues where it was', async () => {
  await changeAll();
  // The first makes the tables, the second opens them, the third finds what is behind, the fourth reads, the fifth writes.
  await expect(prepared({ database: killedAt(6) })).rejects.toThrow('killed');
  const [reached] = await store.sql<{ sum: number }>('select sum(seq)::int as sum from prepared_models.positions');
  expect(reached?.sum).toBeGreaterThan(0);
  await store.add(caller, 'written after the kill');
  await store.ingest();
  const again = await prepared();
  expect(again.said).toEqual([]);
  expect(again.progress[0]?.[0]).toBe(reached?.sum);
  await start();
  await expectAsReplayed();
});

test('a start continues a preparation that was killed', async () => {
  await changeAll();
  await expect(prepared({ database: killedAt(4) })).rejects.toThrow('killed');
  expect(await start()).toEqual(['applying what came since these read models were prepared']);
  await expectAsReplayed();
});

test('a later run takes over, and the earlier one fails', async () => {
  await changeAll();
  let transactions = 0;
  const database: Database = {
    ...store.database,
    async transaction(work) {
      transactions += 1;
      if (transactions === 5) await prepared();
      return store.database.transaction(work);
    },
  };
  await expect(prepared({ database })).rejects.toThrow(/^Another process has taken over or removed/);
  await start();
  await expectAsReplayed();
});

test('what another version prepared is thrown away by a preparation and by a start that builds', async () => {
  await changeAll();
  await prepared({ program: '1.2.3' });
  expect((await prepared({ program: '1.2.4' })).said[0]).toBe('What version 1.2.3 had prepared is thrown away.');
  const lines = await start();
  expect(lines[0]).toBe('what another version had prepared was thrown away');
  expect(lines.slice(1)).toEqual(fromLedger.map(() => 'replaying'));
  await expectAsReplayed();
});

test('with nothing to build it says so, and keeps what the next version has prepared', async () => {
  expect((await prepared()).text).toBe(
    'Nothing has to be prepared: this version builds no read model before it serves.',
  );
  expect(await isThere()).toBe(false);
  await changeAll();
  await prepared({ program: '1.2.3' });
  await store.sql(`update projections set version = version + 1 where name <> 'search'`);
  expect((await prepared()).text).toContain('What version 1.2.3 prepared is still there.');
  expect(await start()).toEqual([expect.stringContaining('counterfoil prepare --discard')]);
  expect(await isThere()).toBe(true);
  expect((await discardPrepared(store.database)).text).toBe('What version 1.2.3 had prepared is removed.');
  expect((await discardPrepared(store.database)).text).toBe('Nothing is prepared.');
  await expectAsReplayed();
});

test('the search index is left to the service', async () => {
  await store.sql(`update projections set version = version - 1 where name in ('search', 'account')`);
  const { text } = await prepared();
  expect(text).toContain('Prepared: account (');
  expect(text).toContain('Built after the start, while the service answers: search.');
  expect(await start()).toEqual([
    'applying what came since these read models were prepared',
    'rebuilding in the background',
  ]);
});
