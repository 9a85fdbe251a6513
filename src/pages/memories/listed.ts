import type { z } from 'zod';
import { memoryList } from '../../../contracts/memory-list.js';
import { memoryListOperation } from '../../api/memories/list.js';
import { ask } from '../ask.js';
import type { ListPlace } from '../from-list.js';
import type { PageParts, PersonRequest } from '../page.js';
import { searchIn } from './asked-search.js';
import { searchFor } from './found.js';

type List = z.output<typeof memoryList>;

export interface Filter {
  readonly q: string | undefined;
  readonly source: string | undefined;
  readonly namespace_id: string | undefined;
}

export function filterIn(query: URLSearchParams): Filter {
  return { q: textIn(query, 'q'), source: textIn(query, 'source'), namespace_id: textIn(query, 'namespace') };
}

const textIn = (query: URLSearchParams, name: string): string | undefined => query.get(name)?.trim() || undefined;

/** The page of the list that an address names. @throws Refusal as the API does */
export function listedAt(given: URLSearchParams, request: PersonRequest, parts: PageParts): Promise<List> {
  const cursor = textIn(given, 'before');
  const all = { ...filterIn(given), ...(cursor !== undefined && { cursor }), limit: '25', include: 'names' };
  const query = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
  return ask(memoryList, memoryListOperation, request, { query }, parts);
}

/** The ids of the memories of a place, in their order: those of a search, or those of a page of the list. */
export async function idsAt(
  { query }: ListPlace,
  request: PersonRequest,
  parts: PageParts,
): Promise<readonly string[]> {
  const search = searchIn({ ...request, query }, parts);
  if (search !== null) return (await searchFor(search, request, parts)).data.map(({ memory_id }) => memory_id);
  return (await listedAt(query, request, parts)).data.map(({ id }) => id);
}
