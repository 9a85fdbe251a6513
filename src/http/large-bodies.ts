import { createQueue, type Task } from '../domain/queue.js';

/** Larger bodies wait in a queue. Most requests are far smaller. */
const largeBytes = 256 * 1024;
/** Measured: an upload of 5 MB takes 28 MB while it is parsed, decoded and sent to the process that reads it. */
const queueLimits = { atOnce: 8, heldBytes: 64 * 1024 * 1024, own: { atOnce: 4 } };

/** Does the work immediately, or queues it when the body is large. @throws Refusal rate_limited */
export type LargeBodies = <T>(body: Task, work: () => Promise<T>) => Promise<T>;

/** Bounds the memory of large bodies: few are parsed at a time, and the queue is bounded. */
export function createLargeBodies(): LargeBodies {
  const queued = createQueue(queueLimits);
  return (body, work) => (body.bytes > largeBytes ? queued(body, work) : work());
}
