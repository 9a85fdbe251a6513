import type { z } from 'zod';
import type { WorkspaceOperation } from '../api/operation.js';
import { ask } from './ask.js';
import { olderLink } from './components/table.js';
import { type Html, html } from './html.js';
import type { PageParts, PersonRequest } from './page.js';

type List<T> = z.ZodType<{ data: T[]; next_cursor: string | null }>;

/** Pages of a list in which one item is looked for. */
const mostPages = 20;

/** One item of a list of the API that has no operation for single items. */
export async function findIn<T>(
  shape: List<T>,
  operation: WorkspaceOperation,
  request: PersonRequest,
  { params, isIt }: { readonly params: Readonly<Record<string, string>>; isIt(item: T): boolean },
  parts: PageParts,
): Promise<T | undefined> {
  let cursor: string | null = null;
  for (let read = 0; read < mostPages; read += 1) {
    const query: Record<string, string> = { limit: '100', ...(cursor === null ? {} : { cursor }) };
    const page: { data: T[]; next_cursor: string | null } = await ask(
      shape,
      operation,
      request,
      { params, query },
      parts,
    );
    const found = page.data.find(isIt);
    if (found !== undefined || page.next_cursor === null) return found;
    cursor = page.next_cursor;
  }
  return undefined;
}

/** The query of the page of a list that a link of this page leads to. */
export function pageQuery({ query }: Pick<PersonRequest, 'query'>, name = 'before'): Record<string, string> {
  const cursor = query.get(name);
  return cursor === null ? {} : { cursor };
}

/** The address of the next page of a list; null on the last one. */
export const olderAt = (path: string, cursor: string | null, name = 'before'): string | null =>
  cursor === null ? null : `${path}?${name}=${encodeURIComponent(cursor)}`;

/** The way to the next page below cards. A table has it in its last line. */
export function older(path: string, cursor: string | null, name = 'before'): Html | undefined {
  const to = olderAt(path, cursor, name);
  return to === null ? undefined : html`<p class="after">${olderLink(to)}</p>`;
}
