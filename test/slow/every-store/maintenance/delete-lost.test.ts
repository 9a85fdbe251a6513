import { afterEach, beforeEach, expect, test } from 'vitest';
import { project } from '../../../../projections/all.js';
import { realWorld } from '../../../../src/base/world.js';
import { databaseLedger } from '../../../../src/ledger/engines/database.js';
import { deletingLost } from '../../../../src/maintenance/delete-lost.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { rebuild } from '../../../../src/maintenance/rebuild.js';
import { fill, model, models, newStore, type Store } from '../../../maintenance/store.js';

let store: Store;
beforeEach(async () => {
  store = await newStore();
});
afterEach(() => store.close());

async function deleteLost(...args: string[]) {
  const { database, run } = store;
  const operation = {
    database,
    run,
    world: realWorld,
    ledger: databaseLedger(database, project),
    requireHome: async () => undefined,
  };
  return deletingLost(operation)(args, () => undefined);
}

/** The vault rows of the entries of these kinds are gone, as after a restore of the entries alone. */
const lose = (kinds: readonly string[], most: number) =>
  store.sql<{ receipt_id: string; kind: string }>(
    `with lost as (
       select v.receipt_id, e.entry ->> 'kind' as kind, row_number() over (partition by e.entry ->> 'kind' order by e.seq) as place
         from vault v join lateral (select seq, convert_from(bytes, 'UTF8')::json as entry from entries
                                     where receipt_id = v.receipt_id) e on true
        where e.entry ->> 'kind' = any($1::text[])),
     gone as (delete from vault where receipt_id in (select receipt_id from lost where place <= $2) returning receipt_id)
     select receipt_id, kind from lost where place <= $2`,
    [kinds, most],
  );

const faults = async () => (await fsck(store.database, models, { onProgress: () => undefined })).faults;
const entryCount = async () => (await store.sql('select 1 from entries')).length;

test('all lost contents that fsck names are deleted by one command, each with an entry of its own', async () => {
  await fill(store);
  const gone = await lose(['memory.write', 'webhook.created', 'task', 'decision', 'handoff'], 2);
  const counts = (what: string) => {
    const of = (...kinds: string[]) => gone.filter(({ kind }) => kinds.includes(kind)).length;
    const [memories, texts, webhooks] = [of('memory.write'), of('task', 'decision', 'handoff'), of('webhook.created')];
    expect(Math.min(memories, texts, webhooks)).toBeGreaterThan(0);
    return `${what}: memories ${memories}, private texts of receipts ${texts}, webhooks ${webhooks}.`;
  };
  // What a start or a replay makes of it.
  for (const name of ['memory', 'lost', 'webhooks', 'tasks', 'decisions']) {
    await rebuild(store.database, model(name), { onProgress: () => undefined });
  }
  const lost = (await faults())?.match(/^content lost: /gm) ?? [];
  expect(lost.length).toBe(gone.length);
  const before = await entryCount();
  const shown = await deleteLost();
  expect(shown.ok).toBe(false);
  expect(shown.text.match(/^content lost: /gm)).toHaveLength(gone.length);
  expect(shown.text).toContain(counts('To be deleted'));
  expect(await entryCount()).toBe(before);
  expect(await deleteLost('delete')).toEqual({ ok: true, text: counts('Deleted') });
  expect(await entryCount()).toBe(before + gone.length);
  expect((await faults()) ?? '').not.toContain('content lost');
  expect(await deleteLost('delete')).toEqual({ ok: true, text: 'No lost content can be deleted.' });
  expect(await entryCount()).toBe(before + gone.length);
});

test('many lost memories are deleted in batches, also those whose rows are still there', async () => {
  const caller = await store.openWorkspace();
  for (let i = 0; i < 130; i += 1) await store.add(caller, `a note of the harbour ${i}`);
  await store.ingest();
  await lose(['memory.write'], 120);
  const shown = (await deleteLost()).text.split('\n');
  expect(shown).toHaveLength(102);
  expect(shown.at(-2)).toBe('20 more are not named here.');
  expect((await deleteLost('delete')).text).toBe('Deleted: memories 120, private texts of receipts 0, webhooks 0.');
  expect(await faults()).toBeNull();
  expect(await store.sql('select 1 from memories')).toHaveLength(10);
});

test('the texts of people and keys stay, and other faults of the ledger come first', async () => {
  await fill(store);
  await lose(['member.added', 'memory.write'], 1);
  expect((await deleteLost('delete')).text).toMatch(
    /^Deleted: memories 1, .*\nLost texts of people, keys and the like: 1\. They cannot be deleted/,
  );
  await lose(['memory.write'], 1);
  const before = await entryCount();
  await store.sql(`update entries set hash = decode(repeat('00', 32), 'hex') where seq = 2`);
  await expect(deleteLost('delete')).rejects.toThrow(
    /^The ledger has faults, so nothing was deleted: .* Run: counterfoil fsck$/,
  );
  expect(await entryCount()).toBe(before);
});
