import { relativeTime } from '../../base/relative-time.js';

/** Renews the relative times of the page each minute, which would be wrong in a page that stays open. */
export function renewTimes(): void {
  setInterval(() => {
    for (const one of document.querySelectorAll<HTMLTimeElement>('time.ago')) {
      const text = relativeTime(one.dateTime, Date.now());
      if (one.textContent !== text) one.textContent = text;
    }
  }, 60_000);
}
