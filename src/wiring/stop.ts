import type { Outside } from '../adapters/outside.js';
import type { Worker } from '../workers/loop.js';

interface Closable {
  close(): Promise<unknown>;
}

/** The parts that a stop ends in their order, without those that others use. */
export interface Running {
  /** Calls that are made from now on are refused. */
  readonly state: { isStopping: boolean };
  readonly outside: Outside;
  /** Calls that wait for something to happen, and are answered now. */
  readonly waits: readonly { close(): void }[];
  readonly server: { close(): PromiseLike<unknown> };
  readonly workers: readonly Worker[];
  readonly store: Closable;
}

/**
 * How long a stop waits for the answers of others, so that a peer that never answers cannot delay it. What was not answered by
 * then is asked again after the next start.
 */
const graceMs = 1000;

/** Waits until requests and steps of work have ended, and closes the parts and the store. */
export async function stopRunning(running: Running, parts: readonly Closable[]): Promise<void> {
  const { state, outside, waits, server, workers, store } = running;
  state.isStopping = true;
  const impatience = setTimeout(outside.end, graceMs);
  for (const waiting of waits) waiting.close();
  await server.close();
  await Promise.all(workers.map((worker) => worker.stop()));
  clearTimeout(impatience);
  outside.end();
  await Promise.all(parts.map((part) => part.close()));
  await store.close();
}
