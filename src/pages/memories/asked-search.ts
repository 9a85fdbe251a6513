import { z } from 'zod';
import type { PageParts, PersonRequest } from '../page.js';

/** A search as a person has sent it, with the key under which its answer is kept. */
const askedSearch = z.object({
  query: z.string(),
  namespace: z.string(),
  once: z.string(),
  at: z.number(),
  /** Whether test memories are searched too. */
  tests: z.boolean().optional(),
});
export type AskedSearch = z.output<typeof askedSearch>;

/** How long the page of a search shows its answer again without another receipt, in milliseconds: keys are kept for a day. */
const repeatable = 23 * 3_600_000;

const purpose = '/memories?s';

/**
 * The search in the form that its address has: only this session can open it, so that a link from elsewhere starts no search, and
 * the query is in no log.
 */
export function sealSearch(search: AskedSearch, { visitor }: PersonRequest, { sealed }: PageParts): string {
  return sealed.seal(visitor.session.id, purpose, JSON.stringify(search));
}

/** The search that the address names; null if there is none, or none of this session and day. */
export function searchIn({ query, visitor, now }: PersonRequest, { sealed }: PageParts): AskedSearch | null {
  const text = sealed.open(visitor.session.id, purpose, query.get('s') ?? '');
  if (text === null) return null;
  const search = askedSearch.parse(JSON.parse(text));
  return now - search.at < repeatable ? search : null;
}
