import type { Place } from '../fact.js';
import type { Task } from './receipt.js';

/** The statement of a receipt about an object, with all that figures need to know of the receipt. */
export interface Stated<S> extends Place {
  readonly workspace: string;
  readonly seq: number;
  readonly agent: string;
  readonly ended_ms: number;
  readonly said: S;
}

/** The whole task is not referred to, so that memory need not hold it. */
export function statedIn<S>({ recorded_ms, hash, workspace, seq, agent, ended_ms }: Task, said: S): Stated<S> {
  return { recorded_ms, hash, workspace, seq, agent, ended_ms, said };
}
