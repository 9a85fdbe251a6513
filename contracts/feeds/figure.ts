import type { z } from 'zod';

/** The meaning of one public figure. The page about the methodology shows it beside the path of the figure. */
export interface Meaning {
  /** A sentence or a formula that says what it is computed from. */
  readonly formula: string;
  /** For example `USD`, `percent`, `milliseconds`, `tasks`, `0 to 1`, or `text`. */
  readonly unit: string;
  /** The time over which receipts count, for example `24 h`, `30 days`, `all time`, or `at t`. */
  readonly window: string;
  /** When it is null; absent where it is never null. */
  readonly whenNull?: string;
  /** The members of receipts, or the other figures, that it comes from. */
  readonly source: string;
}

/** A value of a feed together with its meaning, which the description and the methodology show. */
export function figure<S extends z.ZodType>(schema: S, meaning: Meaning): S {
  return schema.meta({ description: meaning.formula, 'x-figure': meaning });
}
