import type { z } from 'zod';
import type { WorkspaceOperation } from '../api/operation.js';
import { ask } from './ask.js';
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

export function older(path: string, cursor: string | null, name = 'before'): Html | undefined {
  if (cursor === null) return undefined;
  return html`<p class="after"><a href="${path}?${name}=${encodeURIComponent(cursor)}">Older</a></p>`;
}
