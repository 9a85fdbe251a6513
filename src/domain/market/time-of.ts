import { instantOf } from '../../../contracts/instant.js';

/** Whole milliseconds since 1970 of a time that was checked when it was recorded. Finer digits are cut. */
export function timeOf(text: string): number {
  const instant = instantOf(text);
  if (instant === undefined) throw new Error(`${text} is not a time`);
  return instant.ms;
}
