import { type Html, html } from '../html.js';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * A time as people read it: relative within a day, else the date. The time in UTC is beside it for those who point at it, because
 * the service does not know the zone of the reader.
 * @param now the moment at which the page is made, in milliseconds
 */
export function time(iso: string, now: number): Html {
  const [date, clock] = [iso.slice(0, 10), iso.slice(11, 19)];
  return html`<time datetime="${iso}" title="${date} ${clock} UTC">${shown(iso, now)}</time>`;
}

function shown(iso: string, now: number): string {
  const away = now - Date.parse(iso);
  const [size, words] = [Math.abs(away), away >= 0 ? (text: string) => `${text} ago` : (text: string) => `in ${text}`];
  if (size < minute) return away >= 0 ? 'just now' : 'in a moment';
  if (size < hour) return words(`${Math.floor(size / minute)} min`);
  if (size < day) return words(`${Math.floor(size / hour)} h`);
  const [year = '', month = '', dayOfMonth = ''] = iso.slice(0, 10).split('-');
  const sameYear = new Date(now).getUTCFullYear() === Number(year);
  return `${Number(dayOfMonth)} ${months[Number(month) - 1]}${sameYear ? `, ${iso.slice(11, 16)}` : ` ${year}`}`;
}

/** A day and a time in full, where the time itself is the point. */
export function fullTime(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}
