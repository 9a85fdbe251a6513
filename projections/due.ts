import type { Value } from '../src/database/database.js';

/** Gives the statement a parameter. @returns its name there */
export type Bind = (value: Value) => string;

/**
 * SQL of one value: the time, as a `timestamptz`, at which the next of some work is due; null while none waits. It may be too early,
 * for work that another process has in its hands, and is never too late. It needs an index that finds it at once, because it is asked
 * for every second.
 */
export type Due = (bind: Bind, now: Date) => string;

/** SQL: the time of work that waits for no time. */
export const atOnce = `'-infinity'::timestamptz`;
