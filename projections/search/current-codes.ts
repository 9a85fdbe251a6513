import { groupedBy } from '../../src/base/groups.js';
import { yieldToOthers } from '../../src/base/steps.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { codeBits, codeEntry, codeWidth, entriesUntil, modelKey, spaceOf } from './blocks.js';
import type { HeldCodes, SearchCache } from './cache.js';
import { spaceKey } from './encoded.js';
import { versionOf } from './place.js';
import { behind, type Recent } from './recent.js';
import type { VectorQuery } from './search-index.js';
import { Slab, type StoredCodes, slotRows } from './slab.js';
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
  const all = (await namespaceStates(tx, cache, query.namespaceIds)).map((state) => ({
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
  const behindRecent = seen.filter((one) => isContinued(one) && (one.reach?.newest ?? 0) < one.state.recent.from);
  const changed = seen.filter((one) => one.reach && !isContinued(one));
  const [added, again] = await Promise.all([
    readFrom(
      tx,
      model,
      behindRecent.map(({ state, held, reach }) => ({ state, held, first: staleFrom(reach, state, codeBits) ?? 0 })),
    ),
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
    const { id, base, recent } = state;
    held.slab.update(added.get(id) ?? again.get(id)?.read ?? [], again.get(id)?.listed ?? null);
    // What was read from blocks ends where the newest documents begin.
    const isRead = !isContinued(one) || behindRecent.includes(one);
    addRecent(held.slab, spaceKey(id, model), recent, isRead ? recent.sealed : (held.reach?.newest ?? 0));
    held.reach = { base, newest: state.newest };
    return true;
  });
}

/** Adds the codes of the newest documents behind `seq`. Their blocks have no version, because they are not as they are stored. */
function addRecent(slab: Slab, space: string, recent: Recent, seq: number): void {
  const coded = behind(recent, seq).flatMap((one) =>
    one.codes
      .filter(({ key }) => key === space)
      .map(({ code }) => codeEntry(one.seq % slotRows, code))
      .sort((a, b) => a.compare(b))
      .map((entry) => ({ block: Math.floor(one.seq / slotRows), entry })),
  );
  const changed = [...groupedBy(coded, ({ block }) => block)].map(([block, added]) => ({
    block,
    version: '',
    entries: Buffer.concat([
      entriesUntil(slab.entriesOf(block), seq - block * slotRows, slab.width),
      ...added.map(({ entry }) => entry),
    ]),
  }));
  slab.update(changed, null);
}

/** The blocks that one statement reads where all are read. To write them into slabs takes 20 ms, and then other requests are served. */
const blocksPerRead = 128;

/** Reads all blocks of codes that no other search knows yet. */
async function fill(tx: Transaction, model: string, asked: readonly Asked[]): Promise<void> {
  for (let open = asked.map((one) => ({ ...one, first: 0 })); open.length > 0; ) {
    const limit = Math.ceil(blocksPerRead / open.length);
    const read = await readFrom(tx, model, open, limit);
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

/** Rows without the documents that were sealed since the newest ones were read: those are among them. */
function storedCodes(rows: readonly CodesRow[], { state, held }: Asked): StoredCodes[] {
  return rows.flatMap(({ block, version, entries }) => {
    const stored = Buffer.from(entries, 'base64');
    const own = entriesUntil(stored, state.recent.sealed - block * slotRows, held.slab.width);
    return own.length === 0 ? [] : [{ block, version: own.length < stored.length ? '' : version, entries: own }];
  });
}

/** The blocks of each namespace from `first` on: all, or as many as `limit` says. */
async function readFrom(
  tx: Transaction,
  model: string,
  wanted: readonly (Asked & { readonly first: number })[],
  limit: number | null = null,
): Promise<Map<string, StoredCodes[]>> {
  if (wanted.length === 0) return new Map();
  const rows = await tx.query<CodesRow & { namespaceId: string }>(
    `select n.id::text as "namespaceId", c.block, c.version, c.entries
       from unnest($1::uuid[], $2::bigint[]) n(id, first) cross join lateral (
         select block, ${versionOf('s')} as version, encode(entries, 'base64') as entries
           from search_codes s where space = ${spaceOf('$3::text', 'n.id')} and block >= n.first
          order by block limit $4) c`,
    [wanted.map(({ state }) => state.id), wanted.map(({ first }) => first), model, limit],
  );
  const byId = groupedBy(rows, (row) => row.namespaceId);
  return new Map(wanted.map((one) => [one.state.id, storedCodes(byId.get(one.state.id) ?? [], one)]));
}

interface Changed {
  /** All blocks that there are. */
  readonly listed: ReadonlySet<number>;
  /** Those that were not in memory in their current version. */
  readonly read: readonly StoredCodes[];
}

async function readChanged(tx: Transaction, model: string, asked: readonly Asked[]): Promise<Map<string, Changed>> {
  const changed = new Map<string, Changed>();
  for (const one of asked) {
    const { state, held } = one;
    const rows = await tx.query<{ block: number; version: string }>(
      `select block, ${versionOf('s')} as version from search_codes s where space = ${spaceOf('$1::text', '$2::uuid')}`,
      [model, state.id],
    );
    const wanted = rows.filter((row) => !held.slab.holds(row.block, row.version)).map(({ block }) => block);
    changed.set(state.id, {
      listed: new Set(rows.map(({ block }) => block)),
      read: await readBlocks(tx, model, one, wanted),
    });
  }
  return changed;
}

async function readBlocks(
  tx: Transaction,
  model: string,
  asked: Asked,
  blocks: readonly number[],
): Promise<StoredCodes[]> {
  if (blocks.length === 0) return [];
  const rows = await tx.query<CodesRow>(
    `select block, ${versionOf('s')} as version, encode(entries, 'base64') as entries
       from search_codes s where space = ${spaceOf('$1::text', '$2::uuid')} and block = any($3::bigint[])`,
    [model, asked.state.id, blocks],
  );
  return storedCodes(rows, asked);
}
