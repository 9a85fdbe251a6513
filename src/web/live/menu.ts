import { make } from '../elements.js';
import { type Choices, choices } from './choices.js';
import { button } from './elements.js';
import { findAddress, readEntries } from './entries.js';

const id = 'command-menu';

/** Ctrl+K, or ⌘K on a Mac, opens a menu of all pages and actions; so does the link to the page that has them without a script. */
export function startMenu(): void {
  addEventListener('keydown', (event) => {
    if (!isShortcut(event)) return;
    event.preventDefault();
    toggle();
  });
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest(`a[href="${findAddress}"]`) : null;
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || link.closest(`#${id}`)) return;
    event.preventDefault();
    closeAround(link);
    toggle();
  });
}

/** Ctrl+K deletes to the end of the line in fields of a Mac, so it stays that there. */
function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey, isComposing }: KeyboardEvent): boolean {
  const isMac = /mac|iphone|ipad/i.test(navigator.platform);
  return key.toLowerCase() === 'k' && (isMac ? metaKey : ctrlKey) && !altKey && !shiftKey && !isComposing;
}

/** The menu of the header that has the link closes, and the focus comes back to what opens it. */
function closeAround(link: Element): void {
  const around = link.closest('details');
  if (!around) return;
  around.open = false;
  around.querySelector('summary')?.focus();
}

function toggle(): void {
  const open = document.getElementById(id);
  for (const one of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) one.close();
  if (open === null) showMenu();
}

function showMenu(): void {
  const found = choices(id);
  const close = button('Close', 'second small');
  const title = make('h2', { id: `${id}-title`, class: 'spoken' }, 'Find a page or an action');
  const head = make('div', { class: 'find-line' }, found.field, close);
  const dialog = make('dialog', { id, 'aria-labelledby': title.id }, title, head, found.said, found.list);
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', ({ target }) => {
    // The dialog itself is pressed only beside its content. A link within this page leaves the menu open otherwise.
    if (target === dialog || (target instanceof Element && target.closest('a'))) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  found.field.focus();
  void load(found);
}

/** Asked each time: a role or a workspace may have changed since. */
async function load(found: Choices): Promise<void> {
  const answer = await readEntries();
  if (answer === 'elsewhere') location.assign(findAddress);
  else if (typeof answer === 'string')
    found.say(answer === 'later' ? 'The service asks to wait. Try again in a minute.' : 'The service does not answer.');
  else found.offer(answer);
}
