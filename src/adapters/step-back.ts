import { setPriority } from 'node:os';

/**
 * Of 19. Measured on two cores that others kept busy too: 300 short pieces of work on the main thread, beside three threads
 * that never rest, took 4.8 and 6.3 s at 0, 2.9 and 3.1 s at 8, and no less at 19.
 */
const niceness = 8;

/**
 * Lets this thread step back behind the ones that answer requests and serve the database. On Linux 0 means the calling
 * thread alone; other systems would slow the whole process, so nothing is done there.
 */
export function stepBack(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, niceness);
  } catch {
    // A container may forbid it. Then the work competes as it did before.
  }
}
