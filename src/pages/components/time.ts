import { relativeTime } from '../../base/relative-time.js';
import { type Html, html } from '../html.js';

/**
 * A time as people read it: relative within a day, else the date. The time in UTC is beside it for those who point at it, because
 * the service does not know the zone of the reader. The script of the pages renews it each minute by its class.
 * @param now the moment at which the page is made, in milliseconds
 */
export function time(iso: string, now: number): Html {
  const [date, clock] = [iso.slice(0, 10), iso.slice(11, 19)];
  return html`<time class="ago" datetime="${iso}" title="${date} ${clock} UTC">${relativeTime(iso, now)}</time>`;
}

/** A day and a time in full, where the time itself is the point. */
export function fullTime(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}
