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

/** An address may name something inside of a closed element, or something that has a page of its own now. */
function openTarget(): void {
  const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  const now = target?.matches('.moved') ? target.querySelector('a') : null;
  if (now) location.replace(now.href);
  const closed = target?.closest('details');
  if (closed) closed.open = true;
}

/** Marks in the navigation the section that is being read. */
function markPlace(contents: HTMLElement): void {
  const links = new Map(
    [...contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')].map((link) => [link.hash.slice(1), link]),
  );
  const seen = new Set<string>();
  const watcher = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) seen.add(target.id);
        else seen.delete(target.id);
      }
      const current = [...links.keys()].find((id) => seen.has(id));
      for (const [id, link] of links) {
        if (id === current) link.setAttribute('aria-current', 'location');
        else link.removeAttribute('aria-current');
      }
    },
    // A narrow band near the top of the window is where people read.
    { rootMargin: '-10% 0px -80% 0px' },
  );
  for (const place of document.querySelectorAll('.operation, .doc h2')) watcher.observe(place);
}

/** Adds a copy button to blocks of code, except for answers, if the page may write to the clipboard. */
function copyButtons(): void {
  if (!navigator.clipboard) return;
  for (const figure of document.querySelectorAll('.code:not(.answer)')) {
    const code = figure.querySelector('code');
    if (!code) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(code.textContent ?? '').then(
        () => say(button, 'Copied'),
        () => say(button, 'Not allowed'),
      );
    });
    figure.querySelector('figcaption')?.append(button);
  }
}

function say(button: HTMLButtonElement, what: string): void {
  button.textContent = what;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
}
