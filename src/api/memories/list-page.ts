import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { filterSql } from '../../../projections/memory/filter-sql.js';
import {
  type ListFilter,
  lastReinstatement,
  listMemories,
  type SummaryRow,
  summariesByIds,
} from '../../../projections/memory/queries.js';
import { type Selection, selectedAmong } from '../../../projections/memory/selection.js';
import {
  isRebuilding,
  type Match,
  matchingMemories,
  type Searched,
  type WordList,
} from '../../../projections/search/queries.js';
import type { Database, Transaction } from '../../database/database.js';
import { countSelected, selectMemories } from './selected.js';

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

/** The memories that a list shows. */
export interface Listed {
  readonly q: string | undefined;
  readonly selection: Selection;
  /** Whether the list is one by metadata, source, approver or status. */
  readonly isSelected: boolean;
  readonly filter: ListFilter;
}

const rebuilding =
  'After an upgrade the search index is being built again. Until it is complete, q is not answered; search answers with what is there.';

/** One page, newest first. @throws Refusal use_cursor_pagination for a page behind more memories than a request looks at */
export function listPage(
  read: Database['read'],
  searched: Searched,
  workspaceId: string,
  listed: Listed,
  place: ListPlace,
): Promise<ListPage> {
  const { q, selection, isSelected, filter } = listed;
  if (q !== undefined) return read((tx) => pageOfMatching(tx, searched, workspaceId, q, selection, place));
  return isSelected
    ? pageOfSelected(read, workspaceId, selection, place)
    : read((tx) => pageOfAll(tx, workspaceId, filter, place));
}

/** The number of memories in all pages, or that there are more than are counted. */
export function listTotal(
  read: Database['read'],
  searched: Searched,
  workspaceId: string,
  { q, selection }: Listed,
): Promise<{ value: number; relation: 'eq' | 'gte' }> {
  if (q === undefined) return countSelected(read, workspaceId, selection);
  return read(async (tx) => {
    const most = limits.listQueryTotal;
    const list = await wordList(tx, workspaceId, selection);
    const { namespaceIds } = selection;
    const query = { namespaceIds, q, beforeSeq: null };
    const { found, end } = await firstMatches(matchingMemories(tx, searched, query, list), most + 1);
    const isExact = end === null && found.length <= most;
    return { value: Math.min(found.length, most), relation: isExact ? 'eq' : 'gte' };
  });
}

async function pageOfSelected(
  read: Database['read'],
  workspaceId: string,
  selection: Selection,
  { before, offset, limit }: ListPlace,
): Promise<ListPage> {
  const last = offset + limit;
  const looked = offset === 0 ? limits.listLooked : limits.listPageLooked;
  const found = await selectMemories(read, workspaceId, selection, { before, memories: last + 1, looked });
  const isFull = found.ids.length > last;
  if (offset > 0 && !isFull && found.end !== null) throw new Refusal('use_cursor_pagination');
  const ids = found.ids.slice(offset, last);
  const rows = new Map((await read((tx) => summariesByIds(tx, ids))).map((row) => [row.id, row]));
  return {
    rows: ids.flatMap((id) => rows.get(id) ?? []),
    end: isFull ? (found.places[last - 1] ?? null) : found.end,
  };
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
  selection: Selection,
  { before, offset, limit }: ListPlace,
): Promise<ListPage> {
  const beforeSeq = before === null ? null : Number(before);
  const wanted = offset + limit + 1;
  const list = await wordList(tx, workspaceId, selection);
  const { namespaceIds } = selection;
  const matching = matchingMemories(tx, searched, { namespaceIds, q, beforeSeq }, list);
  const { found: places, end } = await firstMatches(matching, wanted);
  const isFull = places.length >= wanted;
  if (offset > 0 && !isFull && end !== null) throw new Refusal('use_cursor_pagination');
  const page = places.slice(offset, offset + limit);
  const found = await summariesByIds(
    tx,
    page.map(({ memoryId }) => memoryId),
  );
  const views = new Map(found.map((row) => [row.id, row]));
  const last = isFull ? (page.at(-1)?.seq ?? null) : end;
  return { rows: page.flatMap(({ memoryId }) => views.get(memoryId) ?? []), end: last === null ? null : String(last) };
}

/** The first matches, and the place up to which memories were looked at if these may not be all. */
async function firstMatches(
  matching: AsyncGenerator<readonly Match[], number | null>,
  wanted: number,
): Promise<{ readonly found: readonly Match[]; readonly end: number | null }> {
  const found: Match[] = [];
  while (found.length < wanted) {
    const next = await matching.next();
    if (next.done) return { found, end: next.value };
    found.push(...next.value);
  }
  await matching.return(null);
  return { found, end: null };
}

/** @throws Refusal search_unavailable while the index is being rebuilt: a list must not leave out memories without saying so */
async function wordList(tx: Transaction, workspaceId: string, selection: Selection): Promise<WordList> {
  if (await isRebuilding(tx, workspaceId)) throw new Refusal('search_unavailable', rebuilding);
  const { agentId } = selection;
  // A memory that failed once fails until the next promotion. Lists show memories that are not valid any more, and say so.
  const tree = { ...selection.filter, leaves: { ...selection.filter.leaves, include_invalidated: true } };
  return {
    filter: { tree, agentId },
    condition: filterSql(tree, agentId, undefined, await lastReinstatement(tx, workspaceId)),
    async shown(found) {
      const ids = found.map(({ memoryId }) => memoryId);
      const listed = await selectedAmong(tx, workspaceId, selection, ids);
      return found.filter(({ memoryId }) => listed.has(memoryId));
    },
  };
}
