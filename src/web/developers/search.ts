import MiniSearch from 'minisearch';
import { type Found, searchOptions } from './search-options.js';

const most = 12;
/** The address of /developers/, for links from every page. */
const root = new URL('../developers/', import.meta.url);

/** Lists below the field the sections that match what is typed into it. The index is fetched once, when it is needed. */
export function searchFrom(field: HTMLInputElement, list: HTMLElement): void {
  let index: Promise<MiniSearch> | undefined;
  const load = () => {
    index ??= fetch(new URL('search.json', root))
      .then((response) => response.text())
      .then((text) => MiniSearch.loadJSON(text, searchOptions));
    return index;
  };
  const show = async () => {
    const query = field.value.trim();
    const found = query === '' ? [] : (await load()).search(query).slice(0, most);
    // The field may have changed while the index was fetched.
    if (query !== field.value.trim()) return;
    list.replaceChildren(
      ...(query !== '' && found.length === 0 ? [nothing()] : found.map((one) => item(foundOf(one)))),
    );
    list.hidden = query === '';
  };
  field.addEventListener('focus', () => void load());
  field.addEventListener('input', () => void show());
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') void show().then(() => list.querySelector('a')?.click());
    if (key === 'Escape') {
      field.value = '';
      list.hidden = true;
    }
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    field.focus();
  });
}

function foundOf(result: Readonly<Record<string, unknown>>): Found {
  return { title: String(result.title), page: String(result.page), url: String(result.url) };
}

function item({ title, page, url }: Found): HTMLElement {
  const [entry, link, where] = [
    document.createElement('li'),
    document.createElement('a'),
    document.createElement('span'),
  ];
  link.href = new URL(url, root).href;
  link.textContent = title;
  where.textContent = page === title ? '' : page;
  link.append(where);
  entry.append(link);
  return entry;
}

function nothing(): HTMLElement {
  const entry = document.createElement('li');
  entry.textContent = 'No section has all of these words.';
  return entry;
}
