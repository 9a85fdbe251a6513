import { make } from '../elements.js';
import { button } from './elements.js';

/** Second keys after g. Each leads to its page only where the header has a link to it. */
const places: Readonly<Record<string, string>> = {
  o: '/',
  c: '/connect',
  m: '/memories',
  r: '/receipts',
  a: '/approvals',
  k: '/keys',
  v: '/verify',
  d: '/developers',
};

const list: readonly (readonly [string, string])[] = [
  ['/', 'Go to the search field'],
  ['j, k', 'Next and previous row'],
  ['Enter', 'Open the row, and go into what is open beside it'],
  ['Escape', 'Close what is open beside the list'],
  ['x', 'Select the row'],
  ['g then o, c, m, r, a, k, v, d', 'Overview, connect, memories, receipts, approvals, keys, verify, documentation'],
  ['Ctrl+K or ⌘K', 'Find a page or an action by its name'],
  ['?', 'This list'],
];

const setting = 'single-keys';
let afterG = 0;

/** Single keys for those who work with the keyboard. They can be switched off (WCAG 2.1.4), and do nothing in fields. */
export function startKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isField(event.target)) return;
    if (event.key === 'Escape' && !document.querySelector('dialog[open]'))
      return document.querySelector<HTMLElement>('main .peek [data-close]')?.click();
    if (event.key === '?') return taken(event, showList);
    if (localStorage.getItem(setting) === 'off' || document.querySelector('dialog[open]')) return;
    act(event);
  });
}

function act(event: KeyboardEvent): void {
  const { key } = event;
  if (Date.now() - afterG < 1500) {
    afterG = 0;
    const to = places[key];
    const link = to === undefined ? null : document.querySelector<HTMLAnchorElement>(`header a[href="${to}"]`);
    if (link) taken(event, () => link.click());
  } else if (key === 'g') afterG = Date.now();
  else if (key === '/') taken(event, () => searchField()?.focus());
  else if (key === 'j' || key === 'k') taken(event, () => move(key === 'j' ? 1 : -1));
  else if (key === 'x')
    taken(event, () => rowOf(document.activeElement)?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click());
}

function taken(event: KeyboardEvent, does: () => void): void {
  event.preventDefault();
  does();
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
    !(target instanceof HTMLInputElement && target.type === 'checkbox')
  );
}

function searchField(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('main [role=search] input:not([type=hidden]), main .search input');
}

const rowOf = (element: Element | null): Element | null => element?.closest('tr, .cards > li') ?? null;

function move(by: 1 | -1): void {
  const rows = [...document.querySelectorAll('main tbody tr, main .cards > li')].filter((row) =>
    row.querySelector('a'),
  );
  const here = rowOf(document.activeElement);
  const at = here === null ? -1 : rows.indexOf(here);
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by];
  next?.querySelector<HTMLAnchorElement>('a.whole, a')?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function showList(): void {
  document.getElementById('single-keys')?.remove();
  const use = make('input', { type: 'checkbox', id: 'use-single-keys' });
  use.checked = localStorage.getItem(setting) !== 'off';
  use.addEventListener('change', () => localStorage.setItem(setting, use.checked ? 'on' : 'off'));
  const close = button('Close', 'second small');
  const rows = list.map(([key, does]) => make('div', {}, make('dt', {}, make('kbd', {}, key)), make('dd', {}, does)));
  const dialog = make(
    'dialog',
    { id: 'single-keys', 'aria-labelledby': 'single-keys-title' },
    make('h2', { id: 'single-keys-title' }, 'Keys'),
    make('dl', { class: 'facts' }, ...rows),
    make('p', {}, use, make('label', { for: use.id }, 'Use single keys')),
    close,
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
