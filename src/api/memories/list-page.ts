import { filterSql } from '../../../projections/memory/filter-sql.js';
import {
  type ListFilter,
  lastReinstatement,
  listedAmong,
  listMemories,
  type SummaryRow,
  summariesByIds,
} from '../../../projections/memory/queries.js';
import {
  matchingMemories,
  type Searched,
  type SearchFilter,
  type WordList,
} from '../../../projections/search/queries.js';
import type { Transaction } from '../../adapters/database/database.js';
import { noFilter } from '../../domain/filters.js';

interface ListPlace {
  /** The position at the end of the page before, or null for the first page. */
  readonly before: string | null;
  readonly offset: number;
  readonly limit: number;
}

interface ListPage {
  /** As they are stored: which of them may be shown is for the vault to say. The place of the next page does not depend on it. */
  readonly rows: readonly SummaryRow[];
  /** The position at the end of this page, or null when it is the last one. */
  readonly end: string | null;
}

/** One page of ready memories, newest first; of those that a web-style query matches when there is one. */
export function listPage(
  tx: Transaction,
  searched: Searched,
  workspaceId: string,
  q: string | undefined,
  filter: ListFilter,
  place: ListPlace,
): Promise<ListPage> {
  return q === undefined
    ? pageOfAll(tx, workspaceId, filter, place)
    : pageOfMatching(tx, searched, workspaceId, q, filter, place);
}

async function pageOfAll(
  tx: Transaction,
  workspaceId: string,
  filter: ListFilter,
  place: ListPlace,
): Promise<ListPage> {
  // One row more than requested shows whether there is a next page.
  const rows = await listMemories(tx, workspaceId, filter, { ...place, limit: place.limit + 1 });
  const shown = rows.slice(0, place.limit);
  return { rows: shown, end: rows.length > place.limit ? (shown.at(-1)?.id ?? null) : null };
}

/** The position here is the number of a memory's entry: in that order the lists of documents by word stand. */
async function pageOfMatching(
  tx: Transaction,
  searched: Searched,
  workspaceId: string,
  q: string,
  filter: ListFilter,
  { before, offset, limit }: ListPlace,
): Promise<ListPage> {
  const beforeSeq = before === null ? null : Number(before);
  const wanted = offset + limit + 1;
  const places: { memoryId: string; seq: number }[] = [];
  const searchFilter = asSearchFilter(filter);
  const list: WordList = {
    filter: searchFilter,
    condition: filterSql(searchFilter.tree, searchFilter.agentId, undefined, await lastReinstatement(tx, workspaceId)),
    async shown(found) {
      const ids = found.map(({ memoryId }) => memoryId);
      const listed = await listedAmong(tx, workspaceId, filter, ids);
      return found.filter(({ memoryId }) => listed.has(memoryId));
    },
  };
  for await (const found of matchingMemories(tx, searched, { namespaceIds: filter.namespaceIds, q, beforeSeq }, list)) {
    places.push(...found);
    if (places.length >= wanted) break;
  }
  const page = places.slice(offset, offset + limit);
  const found = await summariesByIds(
    tx,
    page.map(({ memoryId }) => memoryId),
  );
  const views = new Map(found.map((row) => [row.id, row]));
  const last = places.length >= wanted ? page.at(-1) : undefined;
  return { rows: page.flatMap(({ memoryId }) => views.get(memoryId) ?? []), end: last ? String(last.seq) : null };
}

/** The part of the filter of a list by which a memory that failed once fails until the next promotion. */
function asSearchFilter({ user_id, agent_id, app_id, run_id, includePlayground }: ListFilter): SearchFilter {
  const leaves = {
    ...(user_id !== undefined && { user_id: [user_id] }),
    ...(app_id !== undefined && { app_id: [app_id] }),
    ...(run_id !== undefined && { run_id: [run_id] }),
    include_playground: includePlayground,
    // Lists show memories that are not valid any more, and say so.
    include_invalidated: true,
  };
  return { tree: { ...noFilter, leaves }, agentId: agent_id };
}
