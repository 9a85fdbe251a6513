import type { JsonObject } from '../read-json.js';

/** The statements of a page about its list, in the words of many services. */
export interface PageFacts {
  /** The memories on this page. */
  readonly items: number;
  /** How many the list has; null where the page does not say it. */
  readonly total: number | null;
  /** Whether another page follows; null where the page does not say it. */
  readonly more: boolean | null;
  /** Whether it names a page before it. */
  readonly before: boolean;
}

const totals = [
  'count',
  'total',
  'total_count',
  'totalCount',
  'record_count',
  'total_results',
  'total_memories',
] as const;
/** Anything but null, false and an empty text in one of them leads to another page. */
const nexts = [
  ...['next', 'next_cursor', 'nextCursor', 'next_page', 'nextPage', 'next_page_token', 'nextPageToken', 'next_token'],
  ...['nextToken', 'next_url', 'next_offset', 'next_page_offset', 'has_more', 'hasMore', 'has_next', 'hasNext'],
] as const;
const previous = [
  'previous',
  'prev',
  'previous_cursor',
  'prev_cursor',
  'has_previous',
  'hasPrevious',
  'offset',
  'skip',
] as const;
const pageNumbers = ['page', 'current_page', 'page_number'] as const;
const pageCounts = ['pages', 'total_pages', 'totalPages', 'page_count', 'num_pages', 'last_page'] as const;

/** Looks at the page itself, and at what it has under `pagination`, `page_info`, `paging`, `meta` or `links`. */
export function pageFacts(value: JsonObject['value'], items: number): PageFacts {
  const known = ['pagination', 'page_info', 'pageInfo', 'paging', 'meta', 'links', '_links'].map((name) => value[name]);
  const places = [value, ...known.filter((place) => isRecord(place))];
  const number = (names: readonly string[]) => firstOf(places, names, (found) => (isCount(found) ? found : null));
  const [page, pages] = [number(pageNumbers), number(pageCounts)];
  const follows = places.flatMap((place) => nexts.flatMap((name) => (name in place ? [isGiven(place[name])] : [])));
  if (page !== null && pages !== null) follows.push(page < pages);
  const more = follows.length === 0 ? null : follows.includes(true);
  const before = (page ?? 0) > 1 || places.some((place) => previous.some((name) => isGiven(place[name])));
  return { items, total: number(totals), more, before };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A count of zero is given for lists that were not counted too, but then nothing is missing. */
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;

const isGiven = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== false && value !== '' && value !== 0;

function firstOf<T>(
  places: readonly Readonly<Record<string, unknown>>[],
  names: readonly string[],
  read: (found: unknown) => T | null,
): T | null {
  for (const place of places) {
    for (const name of names) {
      const found = read(place[name]);
      if (found !== null) return found;
    }
  }
  return null;
}

/** The pages of one list so far. */
interface OpenList {
  readonly items: number;
  readonly total: number | null;
  readonly more: boolean | null;
  /** The number of its last page in the file, from 1. */
  readonly value: number;
}

/**
 * Follows the pages of a file. A page that says that none follows ends its list, and so does one after which the list has all that it
 * should have. Pages that say nothing about others are of one list while they say the same total.
 * @param incomplete gets a sentence about each list of which something is missing
 */
export function createPageCount(incomplete: (sentence: string) => void) {
  let open: OpenList | null = null;
  const end = () => {
    const lack = open === null ? null : lackOf(open);
    if (lack !== null) incomplete(lack);
    open = null;
  };
  return {
    /** @param value the number of the page in the file, from 1 */
    page({ items, total, more, before }: PageFacts, value: number): void {
      // The total of a list may change while its pages are read.
      if (open !== null && open.more !== true && open.total !== total) end();
      if (open === null && before && total === null) {
        incomplete(`value ${value} names a page before it that is not here: this is not the whole list`);
      }
      const list: OpenList = { items: (open?.items ?? 0) + items, total, more, value };
      open = list;
      if (more === false || (more === null && total !== null && list.items >= total)) end();
    },
    end,
  };
}

function lackOf({ items, total, more, value }: OpenList): string | null {
  if (total !== null && total > items) {
    return `the list that ends with value ${value} has ${total} memories: ${total - items} of them are not here`;
  }
  return more === true ? `value ${value} names a next page that is not here: this is not the whole list` : null;
}
