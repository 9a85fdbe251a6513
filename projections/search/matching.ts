import { groupedBy } from '../../src/base/groups.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { noFilter } from '../../src/domain/filters.js';
import type { Searched } from './arms.js';
import { compileListQuery } from './list-query.js';
import { compareTexts } from './literal.js';
import { everything, type Filter, passingOf } from './passing.js';
import { documentsAt, type Place } from './place.js';
import type { CompiledQuery, SearchFilter } from './search-index.js';

/** A memory in the order of writing. */
export interface Match extends Row {
  memoryId: string;
  seq: number;
}

/** The number of documents that one statement compares with the query: at first, and at most. */
const [firstCompared, mostCompared] = [64, 1024];

/** At the latest after this number of matches that the list does not show, all memories are compared with its filter. */
const patience = 2000;

/** The number of memories of one list whose texts are compared, for a query that the index of words cannot answer. */
const mostTexts = 20_000;

/** A query for the list of memories: those of these namespaces that match `q`. */
interface ListQuery {
  readonly namespaceIds: readonly string[];
  readonly q: string;
  readonly beforeSeq: number | null;
}

/** The filter of a list, and how it is applied to matches. */
export interface WordList {
  readonly filter: SearchFilter;
  /** The filter, compiled to SQL. Memories that are known to fail it need not be compared with the query. */
  readonly condition: Filter;
  /** Returns the matches that the list shows, in the same order. All of them pass the filter. */
  shown(found: readonly Match[]): Promise<readonly Match[]>;
}

const listOfAll: WordList = { filter: { tree: noFilter }, condition: everything, shown: async (found) => found };

/**
 * The memories that match the query, newest first, a few at a time: no work is done for memories that the caller does not
 * read. The index says which memories may match, and only these are compared with the query.
 * @returns the place up to which memories were looked at, if those behind it were not; otherwise null
 */
export async function* matchingMemories(
  tx: Transaction,
  { index, cache }: Searched,
  { namespaceIds, q, beforeSeq }: ListQuery,
  { filter, condition, shown: shownOf }: WordList = listOfAll,
): AsyncGenerator<readonly Match[], number | null> {
  const compiled = await compileListQuery(tx, namespaceIds, q);
  if (compiled.length === 0) return null;
  const candidates = await index.byWebQuery(tx, { namespaceIds, filter, compiled, beforeSeq });
  const passing = await passingOf(tx, cache, { namespaceIds, documents: candidates.last }, condition);
  const compare = comparing(tx, compiled);
  let known = passing.mayPass();
  let wasted = 0;
  for (let compared = firstCompared; ; compared = Math.min(2 * compared, mostCompared)) {
    const places = await candidates.next(compared, known);
    if (places.length === 0) return null;
    const { found, end } = await compare(places);
    const shown = found.length === 0 ? found : await shownOf(found);
    if (shown.length > 0) yield shown;
    if (end !== null) return end;
    wasted += found.length - shown.length;
    if (wasted === 0 || !passing.worthComparing(wasted, patience)) continue;
    await passing.compareAll();
    known = passing.mayPass();
    wasted = 0;
  }
}

interface Comparison {
  readonly found: readonly Match[];
  /** The place up to which they were compared; null if all of them were. */
  readonly end: number | null;
}

/** Finds the documents that match. Of the texts of a list only a limited number is compared. */
function comparing(
  tx: Transaction,
  compiled: readonly CompiledQuery[],
): (places: readonly Place[]) => Promise<Comparison> {
  const testOf = new Map(compiled.map(({ namespaceId, test }) => [namespaceId, test]));
  const byWords = (place: Place) => {
    const test = testOf.get(place.namespaceId);
    return test && 'tsquery' in test ? test.tsquery : null;
  };
  const pattern = compiled.flatMap(({ test }) => ('pattern' in test ? test.pattern : []))[0] ?? '';
  let left = mostTexts;
  return async (places) => {
    const texts = places.filter((place) => byWords(place) === null);
    const within = texts.slice(0, left);
    left -= within.length;
    const next = texts[within.length];
    const end = next ? next.seq + 1 : null;
    const words = places.filter((place) => byWords(place) !== null && (end === null || place.seq >= end));
    const found = [
      ...(await haveWords(tx, words, (place) => byWords(place) ?? '')),
      ...(await haveTexts(tx, within, pattern)),
    ];
    return { found: found.sort((a, b) => b.seq - a.seq), end };
  };
}

/** There is one statement for each compiled query, which is the same in most namespaces. */
async function haveWords(
  tx: Transaction,
  places: readonly Place[],
  queryOf: (place: Place) => string,
): Promise<Match[]> {
  const groups = [...groupedBy(places, queryOf)];
  const found = await Promise.all(
    groups.map(([tsquery, group]) =>
      tx.query<Match>(
        `select d.memory_id::text as "memoryId", d.seq from ${documentsAt}
          where exists (select 1 from search_texts t where t.memory_id = d.memory_id and t.words @@ $3::tsquery)`,
        [group.map((one) => one.namespaceId), group.map((one) => one.seq), tsquery],
      ),
    ),
  );
  return found.flat();
}

async function haveTexts(tx: Transaction, places: readonly Place[], pattern: string): Promise<Match[]> {
  const found: Match[] = [];
  for (let rest = places; rest.length > 0; ) {
    const next = await compareTexts(tx, pattern, rest);
    found.push(...next.found);
    rest = rest.slice(next.compared);
  }
  return found;
}
