import type { Entry } from '../../contracts/entries/entry.js';
import type { Recorded } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { insertRows, type Projection } from '../projection.js';

/** How many recalls of a memory are kept at least, the newest ones. Older ones are removed now and then. */
export const leastRecalls = 1000;

/** The day of the last recall of a memory that no recall has had. It is before every other day, and no null, so that one index has all days in order. */
export const neverRecalled = '-infinity';

/**
 * Which recalls had a memory among their results, and on which day each memory was recalled last. A memory has a row of the second table from
 * its write to its deletion, so a recall that is recorded after the deletion finds none and leaves nothing. Most recalls of a memory change
 * one table only, because the day changes once a day.
 */
export const recallsProjection: Projection = {
  name: 'recalls',
  version: 1,
  tables: ['memory_recalls', 'memory_uses'],
  reveals: {},
  ddl: `
    create table memory_uses (
      memory_id uuid primary key,
      namespace_id uuid not null,
      recalled_on date not null
    );
    create table memory_recalls (
      memory_id uuid not null,
      seq bigint not null,
      primary key (memory_id, seq)
    );
  `,
  indexes: 'create index on memory_uses (namespace_id, recalled_on, memory_id);',
  async apply(tx, recorded) {
    const gone = recorded.flatMap(({ entry }) => (entry.kind === 'memory.delete' ? entry.body.memory_id : []));
    const deleted = new Set(gone);
    await insertRows(
      tx,
      'memory_uses',
      recorded.flatMap(unused).filter((row) => !deleted.has(row.memory_id)),
    );
    await remove(tx, gone);
    await move(tx, recorded);
    const recalls = recorded.flatMap(recallsIn).filter(({ memoryId }) => !deleted.has(memoryId));
    await add(tx, recalls);
    await prune(tx, recalls);
  },
};

/** Of a memory that was not recalled yet. One whose texts are lost has a row too, until it is deleted: only entries decide here. */
function unused({ entry }: Recorded) {
  if (entry.kind !== 'memory.write') return [];
  const { memory_id, namespace_id } = entry.body;
  return [{ memory_id, namespace_id, recalled_on: neverRecalled }];
}

async function remove(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query('delete from memory_recalls where memory_id = any($1::uuid[])', [ids]);
  await tx.query('delete from memory_uses where memory_id = any($1::uuid[])', [ids]);
}

async function move(tx: Transaction, recorded: readonly Recorded[]): Promise<void> {
  const last = new Map(
    recorded.flatMap(({ entry }) => (entry.kind === 'memory.moved' ? [[entry.body.memory_id, entry.body.to]] : [])),
  );
  if (last.size === 0) return;
  await tx.query(
    `update memory_uses u set namespace_id = m.namespace_id
       from unnest($1::uuid[], $2::uuid[]) m(id, namespace_id) where u.memory_id = m.id`,
    [[...last.keys()], [...last.values()]],
  );
}

/** A memory among the results of a recall. */
interface Recalled {
  readonly memoryId: string;
  readonly seq: number;
  readonly at: string;
  readonly prunes: boolean;
}

function recallsIn({ entry, hash }: Recorded): Recalled[] {
  if (!isRecall(entry)) return [];
  const { seq, recorded_at: at } = entry;
  const prunes = prunesAt(hash);
  return entry.body.results.map(({ memory_id: memoryId }) => ({ memoryId, seq, at, prunes }));
}

const isRecall = (entry: Entry): entry is Extract<Entry, { kind: 'memory.recall' }> => entry.kind === 'memory.recall';

/** One recall in 128 removes the old ones of its memories. Its hash decides, because callers could choose what positions recalls have. */
const prunesAt = (hash: string): boolean => Number.parseInt(hash.slice(0, 2), 16) < 2;

async function add(tx: Transaction, recalls: readonly Recalled[]): Promise<void> {
  if (recalls.length === 0) return;
  await tx.query(
    `with recalled as materialized (
       select u.memory_id, r.seq, (r.at at time zone 'UTC')::date as day
         from unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) r(memory_id, seq, at)
         join memory_uses u on u.memory_id = r.memory_id),
     used as (
       update memory_uses u set recalled_on = d.day
         from (select memory_id, max(day) as day from recalled group by memory_id) d
        where u.memory_id = d.memory_id and u.recalled_on < d.day)
     insert into memory_recalls select memory_id, seq from recalled on conflict do nothing`,
    [recalls.map(({ memoryId }) => memoryId), recalls.map(({ seq }) => seq), recalls.map(({ at }) => at)],
  );
}

/**
 * Removes the recalls before the newest ones, as of the last recall in these that does so. A replay in batches of another size leaves the same
 * rows: what an earlier recall would have removed, a later one removes too.
 */
async function prune(tx: Transaction, recalls: readonly Recalled[]): Promise<void> {
  const last = new Map(recalls.flatMap(({ memoryId, seq, prunes }) => (prunes ? [[memoryId, seq]] : [])));
  if (last.size === 0) return;
  await tx.query(
    `delete from memory_recalls c using (
       select p.memory_id, (select o.seq from memory_recalls o where o.memory_id = p.memory_id and o.seq <= p.seq
                             order by o.seq desc offset ${leastRecalls} limit 1) as seq
         from unnest($1::uuid[], $2::bigint[]) p(memory_id, seq)) old
      where c.memory_id = old.memory_id and c.seq <= old.seq`,
    [[...last.keys()], [...last.values()]],
  );
}
