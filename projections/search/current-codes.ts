import { groupedBy } from '../../src/base/groups.js';
import { yieldToOthers } from '../../src/base/steps.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { codeBits, codeWidth, modelKey, spaceOf } from './blocks.js';
import type { HeldCodes, SearchCache } from './cache.js';
import { versionOf } from './place.js';
import type { VectorQuery } from './search-index.js';
import { Slab, type StoredCodes } from './slab.js';
import { type NamespaceState, namespaceStates, staleFrom } from './states.js';

/** Another search may bring the same codes to another state meanwhile. After as many tries a search reads them for itself alone. */
const mostTries = 3;

/**
 * The codes of all searched namespaces as they are now or newer, by namespace. After a write only the newest blocks are read again.
 * After another change the blocks are listed with the versions of their rows, and those are read that are not in memory.
 */
export async function currentSlabs(
  tx: Transaction,
  cache: SearchCache,
  query: VectorQuery,
): Promise<Map<string, Slab>> {
  const model = modelKey(query.model, query.vector.length);
  const nothingHeld = (): HeldCodes => ({ slab: new Slab(codeWidth(query.vector.length)), reach: undefined });
  const keyOf = ({ id }: NamespaceState) => `${model} ${id}`;
  const all = (await namespaceStates(tx, query.namespaceIds)).map((state) => ({
    state,
    held: cache.slabs.get(keyOf(state)) ?? nothingHeld(),
  }));
  for (let tries = 0; ; tries += 1) {
    const stale = all.filter(({ state, held }) => staleFrom(held.reach, state, codeBits) !== null);
    if (stale.length === 0) return slabsOf(all);
    const alone = tries === mostTries;
    if (alone) for (const one of stale) one.held = nothingHeld();
    for (const { state, held } of await bringUpToDate(tx, model, stale)) {
      if (!alone) cache.slabs.set(keyOf(state), held, held.slab.bytes);
    }
  }
}

/** Codes in memory, and how far those in the database have come. */
interface Asked {
  readonly state: NamespaceState;
  readonly held: HeldCodes;
}

const slabsOf = (all: readonly Asked[]): Map<string, Slab> =>
  new Map(all.flatMap(({ state, held: { slab } }) => (slab.documents > 0 ? [[state.id, slab] as const] : [])));

/** @returns those that are up to date now */
async function bringUpToDate(tx: Transaction, model: string, stale: readonly Asked[]): Promise<readonly Asked[]> {
  const seen = stale.map((one) => ({ ...one, reach: one.held.reach }));
  const isContinued = ({ reach, state }: (typeof seen)[number]) => reach?.base === state.base;
  const newest = seen.filter(isContinued).map(({ state, reach }) => ({
    id: state.id,
    first: staleFrom(reach, state, codeBits) ?? 0,
  }));
  const changed = seen.filter((one) => one.reach && !isContinued(one));
  const [added, again] = await Promise.all([
    readFrom(tx, model, newest),
    readChanged(tx, model, changed),
    fill(
      tx,
      model,
      seen.filter(({ reach }) => reach === undefined),
    ),
  ]);
  return seen.filter((one) => {
    const { held, state, reach } = one;
    // What another search has brought meanwhile stays, unless this is the same index at a later time.
    const isLater = held.reach?.base === state.base && held.reach.newest < state.newest;
    if (held.reach !== reach && !(isLater && isContinued(one))) return false;
    const { id, base } = state;
    held.slab.update(added.get(id) ?? again.get(id)?.read ?? [], again.get(id)?.listed ?? null);
    held.reach = { base, newest: state.newest };
    return true;
  });
}

/** The blocks that one statement reads where all are read. To write them into slabs takes 20 ms, and then other requests are served. */
const blocksPerRead = 128;

/** Reads all blocks of codes that no other search knows yet. */
async function fill(tx: Transaction, model: string, asked: readonly Asked[]): Promise<void> {
  for (let open = asked.map((one) => ({ ...one, first: 0 })); open.length > 0; ) {
    const limit = Math.ceil(blocksPerRead / open.length);
    const wanted = open.map(({ state, first }) => ({ id: state.id, first }));
    const read = await readFrom(tx, model, wanted, limit);
    open = open.flatMap(({ state, held }) => {
      const blocks = read.get(state.id) ?? [];
      held.slab.update(blocks, null);
      const last = blocks.at(-1);
      return last && blocks.length === limit ? [{ state, held, first: last.block + 1 }] : [];
    });
    await yieldToOthers();
  }
}

interface CodesRow extends Row {
  block: number;
  version: string;
  entries: string;
}

const rowOf = ({ block, version, entries }: CodesRow): StoredCodes => ({
  block,
  version,
  entries: Buffer.from(entries, 'base64'),
});

/** The blocks of each namespace from `first` on: all, or as many as `limit` says. */
async function readFrom(
  tx: Transaction,
  model: string,
  wanted: readonly { readonly id: string; readonly first: number }[],
  limit: number | null = null,
): Promise<Map<string, StoredCodes[]>> {
  if (wanted.length === 0) return new Map();
  const rows = await tx.query<CodesRow & { namespaceId: string }>(
    `select n.id::text as "namespaceId", c.block, c.version, c.entries
       from unnest($1::uuid[], $2::bigint[]) n(id, first) cross join lateral (
         select block, ${versionOf('s')} as version, encode(entries, 'base64') as entries
           from search_codes s where space = ${spaceOf('$3::text', 'n.id')} and block >= n.first
          order by block limit $4) c`,
    [wanted.map(({ id }) => id), wanted.map(({ first }) => first), model, limit],
  );
  return new Map([...groupedBy(rows, (row) => row.namespaceId)].map(([id, own]) => [id, own.map(rowOf)]));
}

interface Changed {
  /** All blocks that there are. */
  readonly listed: ReadonlySet<number>;
  /** Those that were not in memory in their current version. */
  readonly read: readonly StoredCodes[];
}

async function readChanged(tx: Transaction, model: string, asked: readonly Asked[]): Promise<Map<string, Changed>> {
  const changed = new Map<string, Changed>();
  for (const { state, held } of asked) {
    const rows = await tx.query<{ block: number; version: string }>(
      `select block, ${versionOf('s')} as version from search_codes s where space = ${spaceOf('$1::text', '$2::uuid')}`,
      [model, state.id],
    );
    const wanted = rows.filter((row) => !held.slab.holds(row.block, row.version)).map(({ block }) => block);
    changed.set(state.id, {
      listed: new Set(rows.map(({ block }) => block)),
      read: await readBlocks(tx, model, state, wanted),
    });
  }
  return changed;
}

async function readBlocks(
  tx: Transaction,
  model: string,
  { id }: NamespaceState,
  blocks: readonly number[],
): Promise<StoredCodes[]> {
  if (blocks.length === 0) return [];
  const rows = await tx.query<CodesRow>(
    `select block, ${versionOf('s')} as version, encode(entries, 'base64') as entries
       from search_codes s where space = ${spaceOf('$1::text', '$2::uuid')} and block = any($3::bigint[])`,
    [model, id, blocks],
  );
  return rows.map(rowOf);
}
