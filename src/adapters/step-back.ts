import { setPriority } from 'node:os';

/** Of 19. The lowest but a few: work on long texts still goes on beside a busy service, at about a seventh of a core. */
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
