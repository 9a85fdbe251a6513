import { Refusal } from '../../contracts/errors.js';
import { pathOnThisOrigin } from '../api/session/next-path.js';
import { hidden } from './components/fields.js';
import { type Html, html } from './html.js';
import type { PersonRequest } from './page.js';

/** The lists to which a page of one thing leads back, each with the parts of its address. */
const lists = {
  '/memories': ['q', 'source', 'namespace', 'before', 's'],
  '/receipts': ['kind', 'namespace', 'actor', 'since', 'until', 'session', 'before', 'follow'],
  '/approvals': ['waiting', 'before'],
  '/agents': ['before'],
  '/webhooks': ['before'],
} as const;
type ListPath = keyof typeof lists;

const name = 'from';

/** The place in a list from which a page was opened. */
export interface ListPlace {
  readonly address: string;
  readonly query: URLSearchParams;
}

/**
 * The place that the address or the form of a page names; null without one. Anyone can make up such an address, so it is put
 * together again of what this list knows: it leads to no other page and to no other site.
 */
export function listPlace(path: ListPath, { query, form }: Pick<PersonRequest, 'query' | 'form'>): ListPlace | null {
  const given = pathOnThisOrigin(form.one(name) || (query.get(name) ?? ''));
  const [named, search = ''] = given?.split(/\?(.*)/s) ?? [];
  if (named !== path) return null;
  return placeAt(path, new URLSearchParams(search));
}

/** The place of a list that is shown, of what its address has. */
export function placeAt(path: ListPath, given: URLSearchParams): ListPlace {
  const query = new URLSearchParams();
  for (const part of lists[path]) {
    const value = given.get(part);
    if (value !== null) query.set(part, value);
  }
  return { address: query.size === 0 ? path : `${path}?${query}`, query };
}

/** An address of one thing that carries the place in the list; without a place it stays as it is. */
export function withPlace(address: string, place: Pick<ListPlace, 'address'> | null): string {
  if (place === null) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(place.address)}`;
}

/** The field with which a form keeps the place. */
export function placeField(place: ListPlace | null): Html | undefined {
  return place === null ? undefined : hidden(name, place.address);
}

/** The thing that a page shows, and its list. */
interface Walked {
  readonly id: string;
  /** The ids of the rows, in their order. */
  ids(): Promise<readonly string[]>;
  /** The address of the page of a row. */
  addressOf(id: string): string;
}

/** The ways back to the list, and to the rows before and after this one. Where the rows cannot be read, the way back stays. */
export async function walk(place: ListPlace | null, { id, ids, addressOf }: Walked): Promise<Html | undefined> {
  if (place === null) return undefined;
  const rows = await known(ids);
  const at = rows.indexOf(id);
  const way = (to: string | undefined, text: string) =>
    to !== undefined &&
    html`<a class="button quiet small" data-live="top" href="${withPlace(addressOf(to), place)}">${text}</a>`;
  return html`<nav class="walk" aria-label="List"><a class="button quiet small" href="${place.address}">Back to the list</a>${at >= 0 && html`${way(rows[at - 1], 'Previous')}${way(rows[at + 1], 'Next')}`}</nav>`;
}

async function known(ids: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await ids();
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}
