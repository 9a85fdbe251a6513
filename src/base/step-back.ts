import { setPriority } from 'node:os';

/**
 * The nice value; the maximum is 19. Measured on two cores with other load: 300 short tasks on the main thread, beside
 * three busy threads, took 4.8 and 6.3 s at 0, 2.9 and 3.1 s at 8, and not less at 19.
 */
const niceness = 8;

/**
 * Gives this thread a lower priority than the threads that answer requests and serve the database. On Linux, 0 means
 * only the calling thread. On other systems it would slow the whole process, so nothing is done there.
 */
export function stepBack(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, niceness);
  } catch {
    // A container may forbid it. Then the priority stays unchanged.
  }
}
