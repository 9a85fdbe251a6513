import type { Row, Transaction } from '../../src/database/database.js';
import { noFilter } from '../../src/domain/filters.js';
import { webQueryText } from '../../src/domain/search-text.js';
import { namespaceRows } from '../namespace/rows.js';
import type { Searched } from './arms.js';
import { groupedBy } from './grouped.js';
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

/** A query for the list of memories: those of these namespaces that match a query in the syntax of web searches. */
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
 */
export async function* matchingMemories(
  tx: Transaction,
  { index, cache }: Searched,
  { namespaceIds, q, beforeSeq }: ListQuery,
  { filter, condition, shown: shownOf }: WordList = listOfAll,
): AsyncGenerator<readonly Match[]> {
  const compiled = await compile(tx, namespaceIds, q);
  if (compiled.length === 0) return;
  const candidates = await index.byWebQuery(tx, { namespaceIds, filter, q, compiled, beforeSeq });
  const passing = await passingOf(tx, cache, { namespaceIds, documents: candidates.last }, condition);
  let known = passing.mayPass();
  let wasted = 0;
  for (let compared = firstCompared; ; compared = Math.min(2 * compared, mostCompared)) {
    const places = await candidates.next(compared, known);
    if (places.length === 0) return;
    const found = await compare(tx, compiled, places);
    const shown = found.length === 0 ? found : await shownOf(found);
    if (shown.length > 0) yield shown;
    wasted += found.length - shown.length;
    if (wasted === 0 || !passing.worthComparing(wasted, patience)) continue;
    await passing.compareAll();
    known = passing.mayPass();
    wasted = 0;
  }
}

/**
 * Compiles the query in the text configuration of each namespace. A namespace in which the query has only stop words is left
 * out, because nothing matches there.
 */
async function compile(tx: Transaction, namespaceIds: readonly string[], q: string): Promise<CompiledQuery[]> {
  const rows = await tx.query<{ id: string; tsquery: string }>(
    `select n.id::text, websearch_to_tsquery(n.text_config::regconfig, $2)::text as tsquery
       from ${namespaceRows} n where n.id = any($1::uuid[]) order by n.id`,
    [namespaceIds, webQueryText(q)],
  );
  return rows.flatMap(({ id: namespaceId, tsquery }) => (tsquery.trim() === '' ? [] : [{ namespaceId, tsquery }]));
}

/** Finds the documents that match. There is one statement for each compiled query, which is the same in most namespaces. */
async function compare(
  tx: Transaction,
  compiled: readonly CompiledQuery[],
  places: readonly Place[],
): Promise<Match[]> {
  const queryOf = new Map(compiled.map((one) => [one.namespaceId, one.tsquery]));
  const groups = [...groupedBy(places, (place) => queryOf.get(place.namespaceId) ?? '')];
  const found = await Promise.all(
    groups.map(([tsquery, group]) =>
      tx.query<Match>(
        `select d.memory_id::text as "memoryId", d.seq from ${documentsAt}
          where exists (select 1 from search_texts t where t.memory_id = d.memory_id and t.words @@ $3::tsquery)`,
        [group.map((one) => one.namespaceId), group.map((one) => one.seq), tsquery],
      ),
    ),
  );
  return found.flat().sort((a, b) => b.seq - a.seq);
}
