import { morph } from './morph.js';
import { fetchPage } from './page.js';

/** The page says so of itself when an answer takes longer than this, in milliseconds. */
const noticeable = 300;
/** How long nothing is typed before the list is filtered, in milliseconds. */
const restMs = 250;
const leastLetters = 3;

type History = 'push' | 'replace' | 'keep';

let latest = new AbortController();

const addressWithin = ({ pathname, search }: Location | URL): string => `${pathname}${search}`;
/** The address of the page that is shown. */
let shown = addressWithin(location);

/** Links and forms marked `data-live` change the text of the page and its address, and load nothing else. */
export function startNavigation(): void {
  addEventListener('click', followLink);
  addEventListener('submit', sendForm);
  addEventListener('change', ({ target }) => {
    const form = target instanceof HTMLSelectElement ? liveForm(target.form) : null;
    if (form) void visit(addressOf(form), 'push');
  });
  let rest: ReturnType<typeof setTimeout>;
  addEventListener('input', ({ target }) => {
    const form = target instanceof HTMLInputElement && target.type !== 'checkbox' ? liveForm(target.form) : null;
    if (form?.dataset.live !== 'typing' || !(target instanceof HTMLInputElement)) return;
    clearTimeout(rest);
    const { length } = target.value.trim();
    if (length === 0 || length >= leastLetters) rest = setTimeout(() => void visit(addressOf(form), 'replace'), restMs);
  });
  addEventListener('counterfoil:again', () => void visit(location.href, 'keep'));
  // A link within the page, such as the one to its text, changes only the part after #: what was typed must stay.
  addEventListener('popstate', () => {
    if (shown !== addressWithin(location)) void visit(location.href, 'keep');
  });
}

function followLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!link || !isPlain || event.defaultPrevented || link.dataset.live === undefined) return;
  event.preventDefault();
  // The receipt is open beside the list already: a second press leads into it.
  const beside = link.href === location.href ? besideList() : null;
  if (beside) {
    beside.focus();
    return;
  }
  void visit(link.href, 'push').then(() => {
    if (link.dataset.live === 'top') scrollTo({ top: 0 });
  });
}

function sendForm(event: SubmitEvent): void {
  const form = event.target instanceof HTMLFormElement ? liveForm(event.target) : null;
  if (!form) return;
  event.preventDefault();
  void visit(addressOf(form), 'push');
}

/** A form that only looks. One that writes is an ordinary form, with or without the mark. */
function liveForm(form: HTMLFormElement | null): HTMLFormElement | null {
  return form?.dataset.live !== undefined && form.method === 'get' ? form : null;
}

function addressOf(form: HTMLFormElement): string {
  const address = new URL(form.action);
  address.search = '';
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') address.searchParams.append(name, value);
  return address.href;
}

/** Shows another page instead of this one. An answer that comes after a later request is dropped. */
async function visit(address: string, history: History): Promise<void> {
  latest.abort();
  latest = new AbortController();
  const { signal } = latest;
  const waits = setTimeout(() => busy(true), noticeable);
  try {
    const answer = await fetchPage(address, signal);
    if ('page' in answer) {
      if (history !== 'keep') window.history[history === 'push' ? 'pushState' : 'replaceState'](null, '', address);
      shown = addressWithin(new URL(address));
      await show(answer.main, answer.page.title);
    } else if (answer.fault === 'elsewhere') location.assign(address);
    else remain(address, history, answer.fault === 'later' ? (answer.seconds ?? 5) : null);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearTimeout(waits);
    if (!signal.aborted) busy(false);
  }
}

/** Replaces the text of this page with that of another one. */
export async function show(main: Element, title: string): Promise<void> {
  const own = document.querySelector('main');
  if (!own) return;
  const focused = document.activeElement;
  const places = [focused instanceof HTMLAnchorElement ? focused : null, openRow()].map((link) => link?.href);
  await morph(own, main);
  document.title = title;
  // What had the focus is gone, such as Close or the last Next: the person continues at the row, and not at the top of the page.
  if (focused !== document.body && document.activeElement === document.body) {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('main a')];
    const again = places.flatMap((href) => links.filter((link) => link.href === href))[0];
    (again ?? openRow() ?? heading())?.focus();
  }
}

const openRow = () => document.querySelector<HTMLAnchorElement>('main tr[aria-selected=true] a.whole');

/** The receipt that is open beside a list, ready to take the focus. */
function besideList(): HTMLElement | null {
  const beside = document.querySelector<HTMLElement>('main .peek');
  if (beside) beside.tabIndex = -1;
  return beside;
}

function heading(): HTMLElement | null {
  const first = document.querySelector<HTMLElement>('main h1');
  if (first) first.tabIndex = -1;
  return first;
}

function busy(is: boolean): void {
  const main = document.querySelector('main');
  if (is) main?.setAttribute('aria-busy', 'true');
  else main?.removeAttribute('aria-busy');
}

/** Leaves the page as it is and says so. Where the service names a time, the request is repeated then. */
function remain(address: string, history: History, seconds: number | null): void {
  const mark = document.createElement('p');
  mark.className = 'message notice';
  mark.id = 'of-before';
  mark.setAttribute('role', 'alert');
  const again = document.createElement('button');
  again.className = 'second small';
  again.textContent = 'Try again';
  const words = document.createElement('span');
  mark.append(words, again);
  document.getElementById('of-before')?.remove();
  document.querySelector('main')?.prepend(mark);
  const clock = new Date().toISOString().slice(11, 16);
  const retry = () => void visit(address, history);
  again.addEventListener('click', retry);
  if (seconds === null) {
    words.textContent = `The service does not answer. This is the page as it was at ${clock} UTC. `;
    return;
  }
  let left = Math.ceil(seconds);
  const timer = setInterval(() => {
    if (!mark.isConnected) return clearInterval(timer);
    left -= 1;
    if (left <= 0) {
      clearInterval(timer);
      retry();
    }
    words.textContent = waitingFor(left, clock);
  }, 1000);
  words.textContent = waitingFor(left, clock);
}

function waitingFor(seconds: number, clock: string): string {
  return `The service asks to wait. This is the page as it was at ${clock} UTC; it is asked again in ${Math.max(0, seconds)} s. `;
}
