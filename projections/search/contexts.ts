import { groupedBy } from '../../src/base/groups.js';
import type { Row, Transaction, Value } from '../../src/database/database.js';
import { reach } from '../../src/domain/rank/context.js';
import { memoryRows } from '../memory/rows.js';
import type { SearchCache } from './cache.js';
import { addPassing, comparedIn, keep } from './compared.js';
import type { Compared, Segment } from './comparison.js';
import { whoHash } from './facts.js';
import type { Filter } from './passing.js';
import {
  bytesOfMemory,
  documentsAt,
  keyed,
  type Place,
  placeKey,
  type RankedMemory,
  type RankedRow,
  rankedColumns,
} from './place.js';

/**
 * How far around a memory that lends its words to others: those it may lend to stand up to six places behind it or three before
 * it, and each has six before it and three behind it that lend to it too.
 */
const wide = reach.before + reach.after;

interface WindowRow extends Row {
  place: number;
  namespaceId: string;
  own: number;
  /** Numbers of memories with semicolons between; empty without one. */
  before: string;
  after: string;
}

interface Window {
  /** The place of its hit. */
  readonly place: number;
  readonly namespaceId: string;
  readonly seqs: readonly number[];
  readonly at: number;
}

/**
 * The memories around each of these that pass the filter and can be found. A memory that does not pass has no place between them.
 * @param lending of how many, from the first, those around are candidates themselves
 */
export async function segmentsOf(
  tx: Transaction,
  cache: SearchCache,
  hits: readonly (Place & { readonly memoryId: string })[],
  lending: number,
  filter: Filter,
): Promise<Segment[]> {
  if (hits.length === 0) return [];
  const namespaceIds = new Set(hits.map(({ namespaceId }) => namespaceId));
  const known = await comparedIn(tx, cache, namespaceIds, filter);
  const isLending = (place: number) => place < lending;
  const segments: (Segment | undefined)[] = hits.map(({ namespaceId, seq }, place) => {
    const own = known.get(namespaceId);
    return own?.wide.get(seq) ?? (isLending(place) ? undefined : own?.narrow.get(seq));
  });
  const missing = hits.flatMap((hit, place) => (segments[place] ? [] : [{ ...hit, place }]));
  if (missing.length > 0) {
    for (const { place, segment } of await readSegments({ tx, cache, known, filter }, missing, lending)) {
      segments[place] = segment;
      const own = known.get(hits[place]?.namespaceId ?? '');
      (isLending(place) ? own?.wide : own?.narrow)?.set(hits[place]?.seq ?? 0, segment);
    }
    keep(cache, known, filter);
  }
  return segments.filter((segment) => segment !== undefined);
}

/** A hit, with its place among all hits, from 0. */
type PlacedHit = Place & { readonly memoryId: string; readonly place: number };

interface PlacedSegment {
  readonly place: number;
  readonly segment: Segment;
}

/** The parts of a search that reads segments. */
interface Reading {
  readonly tx: Transaction;
  readonly cache: SearchCache;
  /** The comparisons of earlier searches, by namespace. */
  readonly known: ReadonlyMap<string, Compared>;
  readonly filter: Filter;
}

async function readSegments(reading: Reading, hits: readonly PlacedHit[], lending: number): Promise<PlacedSegment[]> {
  const quick = await windowsOf(reading, hits, lending, '');
  const segments = segmentsFrom(quick, await memoriesIn(reading, quick));
  // Nearly always all of them are in the index already, and then the look-up of each in each window is saved: a third of the time.
  if (segments.every(({ segment }, i) => segment.memories.length === quick[i]?.seqs.length)) return segments;
  const exact = await windowsOf(reading, hits, lending, inIndex);
  return segmentsFrom(exact, await memoriesIn(reading, exact));
}

const segmentsFrom = (windows: readonly Window[], found: Memories): PlacedSegment[] =>
  windows.map(({ place, namespaceId, seqs, at }) => {
    const own = found.get(namespaceId);
    return { place, segment: { memories: seqs.flatMap((seq) => own?.get(seq) ?? []), at } };
  });

/** SQL: the memory `m` can be found. */
const inIndex = "and exists (select 1 from search_documents d where d.memory_id = m.id and d.model <> '')";

/** The numbers of the memories around each of these hits, in their order. One that is known to be alone is not looked up. */
async function windowsOf(
  { tx, cache, known, filter }: Reading,
  hits: readonly PlacedHit[],
  lending: number,
  condition: string,
): Promise<Window[]> {
  const isAlone = ({ namespaceId, seq }: Place) =>
    (known.get(namespaceId)?.passes.get(seq) ?? cache.memories.get(placeKey({ namespaceId, seq })))?.isAlone === true;
  const asked = hits.flatMap((hit) => (isAlone(hit) ? [] : [{ id: hit.memoryId, place: hit.place }]));
  const read = asked.length === 0 ? [] : await readWindows(tx, asked, lending, filter, condition);
  const found = new Map(read.map((window) => [window.place, window]));
  const looked = new Set(asked.map(({ place }) => place));
  return hits.flatMap(({ place, namespaceId, seq }) => {
    const window = looked.has(place) ? found.get(place) : { place, namespaceId, seqs: [seq], at: 0 };
    return window ? [window] : [];
  });
}

interface AskedWindow {
  readonly id: string;
  /** Its place among the hits, from 0. */
  readonly place: number;
}

/** @param condition more SQL about the memories `m` of a window */
async function readWindows(
  tx: Transaction,
  asked: readonly AskedWindow[],
  lending: number,
  filter: Filter,
  condition: string,
): Promise<Window[]> {
  const params: Value[] = [asked.map(({ id }) => id), lending, asked.map(({ place }) => place)];
  const passes = filter((value) => `$${params.push(value)}`);
  const list = (same: string, side: '<' | '>') => `select m.seq from ${memoryRows} m
        where m.namespace_id = c.namespace_id and ${same} and m.seq ${side} c.seq and (${passes}) ${condition}
        order by m.seq ${side === '<' ? 'desc' : ''} limit case when c.place < $2 then ${wide} else ${side === '<' ? reach.before : reach.after} end`;
  // The condition on the hash uses the index. The condition on the text is needed because two sources may have one hash.
  const sameSource =
    'm.source is not null and hashtextextended(m.source, 0) = hashtextextended(c.source, 0) and m.source = c.source';
  // Short texts: the client takes an array apart slowly.
  const text = (same: string, side: '<' | '>') => `array_to_string(array(${list(same, side)}), ';')`;
  const around = (side: '<' | '>') => `case when c.source is not null then ${text(sameSource, side)}
      when c.run_id is not null then ${text('m.run_id = c.run_id and m.source is null', side)} else '' end`;
  const rows = await tx.query<WindowRow>(
    `select c.place, c.namespace_id as "namespaceId", c.seq as own, ${around('<')} as before, ${around('>')} as after
       from (select g.place, m.namespace_id, m.seq, m.source, m.run_id
               from unnest($1::uuid[], $3::integer[]) g(id, place) join ${memoryRows} m on m.id = g.id
              where true ${condition}) c
      order by c.place`,
    params,
  );
  return rows.map(({ place, namespaceId, own, before, after }) => {
    const earlier = listed(before).reverse();
    return { place, namespaceId, seqs: [...earlier, own, ...listed(after)], at: earlier.length };
  });
}

const listed = (seqs: string): number[] => (seqs === '' ? [] : seqs.split(';').map(Number));

/** By namespace and number. */
type Memories = ReadonlyMap<string, ReadonlyMap<number, RankedMemory>>;

/**
 * What the ranking needs of the memories of these windows, without those that cannot be found yet. It is read once: a memory never
 * changes, and in another namespace it has another key. A memory that is gone is in no window.
 *
 * All of them pass the filter, so a later search need not compare those that are read here. Those of `cache.memories` are not noted as
 * compared, because they may be of before they were indexed again. Most are found by their numbers: a search looks for a thousand, and a
 * key of namespace and number for each took a twentieth of a search among 100,000 memories.
 */
async function memoriesIn({ tx, cache, known }: Reading, windows: readonly Window[]): Promise<Memories> {
  const found = new Map<string, Map<number, RankedMemory>>();
  const unknown: Place[] = [];
  for (const [namespaceId, own] of groupedBy(windows, (window) => window.namespaceId)) {
    const memories = new Map<number, RankedMemory>();
    found.set(namespaceId, memories);
    const compared = known.get(namespaceId);
    for (const seq of new Set(own.flatMap(({ seqs }) => seqs))) {
      const memory = compared?.passes.get(seq) ?? cache.memories.get(placeKey({ namespaceId, seq }));
      if (memory) memories.set(seq, memory);
      else unknown.push({ namespaceId, seq });
    }
  }
  if (unknown.length === 0) return found;
  const rows = await tx.query<Row & RankedRow>(
    `select ${rankedColumns} from ${documentsAt} join ${memoryRows} m on m.id = d.memory_id`,
    [unknown.map(({ namespaceId }) => namespaceId), unknown.map(({ seq }) => seq)],
  );
  for (const memory of rows.map(keyed)) {
    found.get(memory.namespaceId)?.set(memory.seq, memory);
    cache.memories.set(memory.key, memory, bytesOfMemory);
    const compared = known.get(memory.namespaceId);
    if (compared) addPassing(compared, memory.seq, memory);
  }
  return found;
}

interface Named {
  readonly namespaceId: string;
  readonly who: string;
}

/** Those of these names that two or more memories of a namespace have that pass the filter, as `RankedMemory.who` has them. */
export async function namesIn(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
  names: readonly string[],
  filter: Filter,
): Promise<Named[]> {
  if (names.length === 0) return [];
  const known = await comparedIn(tx, cache, namespaceIds, filter);
  const missing = names.filter((name) => Array.from(known.values()).some((own) => own.names.get(name) === undefined));
  if (missing.length > 0) {
    const read = await readNames(tx, [...known.keys()], missing, filter);
    for (const own of known.values()) for (const name of missing) own.names.set(name, null);
    for (const { namespaceId, name, who } of read) known.get(namespaceId)?.names.set(name, who);
    keep(cache, known, filter);
  }
  return Array.from(known).flatMap(([namespaceId, own]) =>
    names.flatMap((name) => {
      const who = own.names.get(name);
      return who ? [{ namespaceId, who }] : [];
    }),
  );
}

function readNames(
  tx: Transaction,
  namespaceIds: readonly string[],
  names: readonly string[],
  filter: Filter,
): Promise<(Row & Named & { readonly name: string })[]> {
  const params: Value[] = [namespaceIds, names];
  const condition = filter((value) => `$${params.push(value)}`);
  return tx.query(
    `select n.id::text as "namespaceId", w.who::text, g.name from unnest((select $1::uuid[])) n(id)
      cross join unnest((select $2::text[])) g(name)
      cross join lateral (select ${whoHash('g.name', 'n.id')} as who) w
      where 2 = (select count(*) from (
        select 1 from search_documents d join ${memoryRows} m on m.id = d.memory_id
         where d.namespace_id = n.id and d.who = w.who and d.model <> '' and (${condition}) limit 2) two)`,
    params,
  );
}
