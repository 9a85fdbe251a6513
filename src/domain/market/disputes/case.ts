import type { CaseStatement } from './statement.js';

/** A case at t. It never changes: a change of the case makes another one. */
export interface Case {
  readonly id: string;
  /** The newest statement of its owner. */
  readonly state: CaseStatement;
  /** The agent against which it counts; null when it counts against none. */
  readonly agent: string | null;
}
