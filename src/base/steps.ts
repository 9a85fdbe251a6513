import { setImmediate as nextIteration } from 'node:timers/promises';

/** Work that can be interrupted: each `next` does a small part of it. */
export type Steps<T> = Generator<void, T>;

/** How long work runs before other work of the thread does. */
const sliceMs = 8;

/** Does the work without interruption. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does the work in slices, between which the thread does other work. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  let since = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - since < sliceMs) continue;
    await nextIteration();
    since = performance.now();
  }
}
