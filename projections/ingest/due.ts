import { atOnce, type Due } from '../due.js';

/** The next job of long texts, or of short ones. A job that was never tried is due at any time of the clock. */
export const nextJob =
  (isLong: boolean): Due =>
  (bind) => {
    const open = `from jobs where stage not in ('done', 'failed') and is_long = ${bind(isLong)}`;
    return `coalesce((select ${atOnce} ${open} and stage = 'queued' limit 1), (select min(run_after) ${open}))`;
  };
