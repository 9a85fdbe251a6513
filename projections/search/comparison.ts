import type { RankedMemory } from './place.js';
import type { Reach } from './states.js';
import type { Term } from './term.js';

/** A memory between those that were written around it in its source, or in its run if it has no source: in that order. */
export interface Segment {
  readonly memories: readonly RankedMemory[];
  /** Where the memory itself stands among them. */
  readonly at: number;
}

/** The results of comparing memories of a namespace with a filter, as far as its index has come. */
export interface Compared extends Reach {
  /** The memories that pass, by their numbers; null for one that does not pass or cannot be found. */
  readonly passes: Map<number, RankedMemory | null>;
  /** The terms that a memory has that passes, and those that none has. */
  readonly visible: Set<string>;
  readonly hidden: Set<string>;
  /** The segments of memories by their numbers: as far as those reach to which a memory lends its words, and the shorter ones. */
  readonly wide: Map<number, Segment>;
  readonly narrow: Map<number, Segment>;
  /** The hash of a name that two memories have, by the name; null for another name. */
  readonly names: Map<string, string | null>;
  /** The terms that are spelt like a word of a query. */
  readonly similar: Map<string, readonly Term[]>;
  /** The bytes of these terms. */
  bytesOfTerms: number;
}
