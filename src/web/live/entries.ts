import { fetchPage } from './page.js';

/** A page or an action that the menu leads to. */
export interface Entry {
  readonly group: string;
  readonly name: string;
  /** The place of the header that it belongs to; empty where it is a place itself. */
  readonly place: string;
  readonly href: string;
  /** Everything by which it is found, in lower case. */
  readonly words: string;
}

/** The page without a script that has all of them. */
export const findAddress = '/find';

/** The entries of the page of all pages and actions, for this person; the fault where that page does not come. */
export async function readEntries(): Promise<readonly Entry[] | 'elsewhere' | 'later' | 'offline'> {
  const answer = await fetchPage(findAddress, new AbortController().signal);
  if ('fault' in answer) return answer.fault;
  return [...answer.main.querySelectorAll<HTMLElement>('[data-found]')].flatMap((section) =>
    [...section.querySelectorAll('a')].map((link) => entryOf(link, section.dataset.found ?? '')),
  );
}

function entryOf(link: HTMLAnchorElement, group: string): Entry {
  const name = link.firstChild?.textContent?.trim() ?? '';
  const place = link.querySelector('small')?.textContent ?? '';
  const words = `${name} ${place} ${link.dataset.words ?? ''}`.toLowerCase();
  return { group, name, place, href: link.getAttribute('href') ?? '', words };
}

/** The entries that have every word of a text, those whose own name begins with it first in their group. */
export function matching(entries: readonly Entry[], text: string): readonly Entry[] {
  const typed = text.toLowerCase().trim();
  const words = typed.split(/\s+/);
  const found = entries.filter((entry) => words.every((word) => entry.words.includes(word)));
  const begins = (entry: Entry) => Number(entry.words.startsWith(typed));
  const order = [...new Set(entries.map(({ group }) => group))];
  return found.toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group) || begins(b) - begins(a));
}
