import { copyButtons } from './copy.js';
import { markPlace } from './place.js';
import { searchFrom } from './search.js';

/** The page can be read without this script, which adds search, copy buttons and the current place. */
const contents = document.querySelector<HTMLDetailsElement>('.contents details');
if (contents) {
  const narrow = matchMedia('(max-width: 64rem)');
  // On a small screen the list of pages would come before the text.
  contents.open = !narrow.matches;
  contents.addEventListener('click', ({ target }) => {
    if (narrow.matches && target instanceof Element && target.closest('a')) contents.open = false;
  });
  markPlace(contents);
  if (!narrow.matches) showPage(contents);
}
const [field, list] = [
  document.querySelector<HTMLInputElement>('#find'),
  document.querySelector<HTMLElement>('#found'),
];
if (field && list) searchFrom(field, list);
copyButtons();
openTarget();
addEventListener('hashchange', openTarget);

/** The link to the page itself may be far down in the list. Only the list scrolls: scrollIntoView would scroll the text too. */
function showPage(contents: HTMLElement): void {
  const link = contents.querySelector('[aria-current="page"]');
  const list = contents.parentElement;
  if (link && list) list.scrollTop += link.getBoundingClientRect().top - list.clientHeight / 2;
}

/** An address may name something inside of a closed element. */
function openTarget(): void {
  const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  const closed = target?.closest('details');
  if (closed) closed.open = true;
}
