import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { insertRows, type Projection, together } from '../projection.js';

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
  fold: together({
    begin: (): Changes => ({ written: [], deleted: [], moved: new Map(), recalls: [] }),
    on: {
      'memory.write': ({ written }, one) => written.push(unused(one)),
      'memory.delete': ({ deleted }, { entry }) => deleted.push(entry.body.memory_id),
      'memory.moved': ({ moved }, { entry }) => moved.set(entry.body.memory_id, entry.body.to),
      'memory.recall': ({ recalls }, one) => recalls.push(...recallsIn(one)),
    },
    async write(tx, { written, deleted, moved, recalls }) {
      const gone = new Set(deleted);
      await insertRows(
        tx,
        'memory_uses',
        written.filter((row) => !gone.has(row.memory_id)),
      );
      await remove(tx, deleted);
      await move(tx, moved);
      const ofThese = recalls.filter(({ memoryId }) => !gone.has(memoryId));
      await add(tx, ofThese);
      await prune(tx, ofThese);
    },
  }),
};

interface Changes {
  readonly written: ReturnType<typeof unused>[];
  readonly deleted: string[];
  /** By memory: the namespace that it was moved to last. */
  readonly moved: Map<string, string>;
  readonly recalls: Recalled[];
}

/** Of a memory that was not recalled yet. One whose texts are lost has a row too, until it is deleted: only entries decide here. */
function unused({ entry }: RecordedOf<'memory.write'>) {
  const { memory_id, namespace_id } = entry.body;
  return { memory_id, namespace_id, recalled_on: neverRecalled };
}

async function remove(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query('delete from memory_recalls where memory_id = any((select $1::uuid[])::uuid[])', [ids]);
  await tx.query('delete from memory_uses where memory_id = any((select $1::uuid[])::uuid[])', [ids]);
}

async function move(tx: Transaction, moved: ReadonlyMap<string, string>): Promise<void> {
  if (moved.size === 0) return;
  await tx.query(
    `update memory_uses u set namespace_id = m.namespace_id
       from unnest($1::uuid[], $2::uuid[]) m(id, namespace_id) where u.memory_id = m.id`,
    [[...moved.keys()], [...moved.values()]],
  );
}

/** A memory among the results of a recall. */
interface Recalled {
  readonly memoryId: string;
  readonly seq: number;
  readonly at: string;
  readonly prunes: boolean;
}

function recallsIn({ entry, hash }: RecordedOf<'memory.recall'>): Recalled[] {
  const { seq, recorded_at: at } = entry;
  const prunes = prunesAt(hash);
  return entry.body.results.map(({ memory_id: memoryId }) => ({ memoryId, seq, at, prunes }));
}

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
