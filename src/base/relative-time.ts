const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * A time as people read it: relative within a day, else the date in UTC. Pages are made with it, and their script renews it.
 * @param iso a time in UTC, such as 2026-11-27T18:30:00.000Z
 * @param now in milliseconds
 */
export function relativeTime(iso: string, now: number): string {
  const away = now - Date.parse(iso);
  const [size, words] = [Math.abs(away), away >= 0 ? (text: string) => `${text} ago` : (text: string) => `in ${text}`];
  if (size < minute) return away >= 0 ? 'just now' : 'in a moment';
  if (size < hour) return words(`${Math.floor(size / minute)} min`);
  if (size < day) return words(`${Math.floor(size / hour)} h`);
  const [year = '', month = '', dayOfMonth = ''] = iso.slice(0, 10).split('-');
  const sameYear = new Date(now).getUTCFullYear() === Number(year);
  return `${Number(dayOfMonth)} ${months[Number(month) - 1]}${sameYear ? `, ${iso.slice(11, 16)}` : ` ${year}`}`;
}
