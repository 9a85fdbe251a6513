import { dayMs, hourMs } from '../state/windows.js';

/** Days of UTC are counted from 1970-01-01, which is day 0. */

export const dayOf = (ms: number): number => Math.floor(ms / dayMs);

export const startOf = (day: number): number => day * dayMs;

/** A receipt is on time when it was recorded before this moment after its day. The day closes at that moment. */
export const closingOf = (day: number): number => startOf(day + 1) + hourMs;

/** `2027-03-01` */
export const dayText = (day: number): string => new Date(startOf(day)).toISOString().slice(0, 10);

export const readDay = (text: string): number => dayOf(Date.parse(`${text}T00:00:00.000Z`));
