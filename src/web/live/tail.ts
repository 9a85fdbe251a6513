import { make } from '../elements.js';
import { button } from './elements.js';
import { type Fetched, fetchPage } from './page.js';

/** How long the tail waits for more: while something comes, when nothing came, and when there is more already, in milliseconds. */
const waits = { something: 2_000, nothing: 10_000, more: 250 } as const;
/** Rows that stay in the page. A browser becomes slow with many more. */
const mostRows = 500;
/** A wait is longer by up to this share: tabs that have seen the same entry would else all ask again at one moment. */
const scatter = 0.25;

type State = 'live' | 'paused' | 'reconnecting' | 'session ended';

/**
 * `<cf-tail>` above a table: adds the entries that come after `data-after` to its top. It asks for the page of those entries, so it
 * misses none and shows none twice. It asks nothing while the tab is hidden.
 */
export class Tail extends HTMLElement {
  #after = '';
  #waiting: Element[] = [];
  #dropped = 0;
  #state: State = 'live';
  #isAsking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ends = new AbortController();
  readonly #since = new Date().toISOString().slice(11, 16);
  readonly #words = make('span', { role: 'status' });
  readonly #fresh = button('', 'small');
  readonly #pause = button('Pause', 'second small');

  connectedCallback(): void {
    this.#after = this.dataset.after ?? '';
    this.#ends = new AbortController();
    this.replaceChildren(this.#words, this.#fresh, this.#pause);
    const { signal } = this.#ends;
    this.#fresh.addEventListener('click', () => this.#showWaiting(), { signal });
    this.#pause.addEventListener('click', () => this.#toggle(), { signal });
    document.addEventListener('visibilitychange', () => !document.hidden && this.#next(0), { signal });
    addEventListener('scroll', () => !this.#isHeld() && this.#showWaiting(), { signal, passive: true });
    this.#say();
    this.#next(waits.something);
  }

  disconnectedCallback(): void {
    this.#ends.abort();
    clearTimeout(this.#timer);
  }

  #next(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (this.#state === 'paused' || this.#state === 'session ended' || document.hidden) return;
    this.#timer = setTimeout(() => void this.#ask(), milliseconds * (1 + scatter * Math.random()));
  }

  async #ask(): Promise<void> {
    // A tab that is shown again, or Continue, asks at once: a second answer to the same question would show its entries twice.
    if (this.#isAsking) return;
    this.#isAsking = true;
    const address = new URL(this.dataset.address ?? '', location.href);
    address.searchParams.set('after', this.#after);
    const { signal } = this.#ends;
    let wait: number = waits.nothing;
    try {
      const answer = await fetchPage(address.href, signal);
      // The person has paused while the answer was on its way: it is requested again when they continue.
      if (this.#state !== 'paused') wait = this.#take(answer);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#isAsking = false;
    }
    if (signal.aborted) return;
    this.#next(wait);
    this.#say();
  }

  /** @returns how long to wait for the next, in milliseconds */
  #take(answer: Fetched): number {
    if (!('main' in answer)) {
      this.#state = answer.fault === 'elsewhere' ? 'session ended' : 'reconnecting';
      return answer.fault === 'later' && answer.seconds !== null ? answer.seconds * 1000 : waits.nothing;
    }
    this.#state = 'live';
    const own = answer.main.querySelector<HTMLElement>('cf-tail');
    const rows = [...answer.main.querySelectorAll('tbody tr')];
    this.#after = own?.dataset.after ?? this.#after;
    this.#waiting.unshift(...rows);
    if (!this.#isHeld()) this.#showWaiting();
    if (own?.dataset.more !== undefined) return waits.more;
    return rows.length > 0 ? waits.something : waits.nothing;
  }

  /** Whether the reader looks at something that must not move: an open item, or rows further down. */
  #isHeld(): boolean {
    const table = this.parentElement?.querySelector('table');
    const isScrolled = table ? table.getBoundingClientRect().top < 0 : false;
    return isScrolled || new URLSearchParams(location.search).has('open');
  }

  #showWaiting(): void {
    const body = this.parentElement?.querySelector('tbody');
    if (!body) return;
    body.prepend(...this.#waiting.slice(0, mostRows));
    this.#dropped += Math.max(0, this.#waiting.length - mostRows);
    this.#waiting = [];
    while (body.rows.length > mostRows) {
      body.rows[body.rows.length - 1]?.remove();
      this.#dropped += 1;
    }
    this.#say();
  }

  #toggle(): void {
    this.#state = this.#state === 'paused' ? 'live' : 'paused';
    this.#next(0);
    this.#say();
  }

  #say(): void {
    const dropped = this.#dropped === 0 ? '' : `, ${this.#dropped.toLocaleString('en')} more since ${this.#since} UTC`;
    const words = `${this.#state === 'live' ? 'Live' : this.#state === 'paused' ? 'Paused' : this.#state === 'reconnecting' ? 'Reconnecting' : 'The session has ended. '}${dropped}`;
    if (this.#words.textContent !== words) this.#words.textContent = words;
    this.dataset.state = this.#state;
    if (this.#state === 'session ended' && !this.#words.querySelector('a')) {
      const next = encodeURIComponent(`${location.pathname}${location.search}`);
      this.#words.append(make('a', { href: `/sign-in?next=${next}` }, 'Sign in'));
    }
    this.#fresh.hidden = this.#waiting.length === 0;
    this.#fresh.textContent = `${this.#waiting.length.toLocaleString('en')} new`;
    this.#pause.hidden = this.#state === 'session ended';
    this.#pause.textContent = this.#state === 'paused' ? 'Continue' : 'Pause';
  }
}
