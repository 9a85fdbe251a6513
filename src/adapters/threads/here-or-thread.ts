import type { Jobs } from './jobs.js';
import type { Input, Output, Threads } from './threads.js';

interface Here<In, Found> {
  sizeOf(input: In): number;
  /** Work of up to this size is done on the main thread: no other request is answered meanwhile. */
  readonly small: number;
  /** @returns null when the work turned out to be larger than its size said: then a thread does it */
  here(input: In): Found | null;
}

/**
 * Work that is done immediately while it is small, and otherwise in a thread, which the first large piece starts.
 * @returns a function of the owner whose work it is (see `Task`) and of the input
 * @throws Refusal rate_limited, not_ready, as `Threads.run` does
 */
export function hereOrThread<J extends keyof Jobs, Found>(
  threads: Threads,
  job: J,
  { sizeOf, small, here }: Here<Input<Jobs, J>, Found>,
): (owner: string, input: Input<Jobs, J>) => Promise<Found | Output<Jobs, J>> {
  return async (owner, input): Promise<Found | Output<Jobs, J>> => {
    const bytes = sizeOf(input);
    const found = bytes <= small ? here(input) : null;
    return found === null ? threads.run({ owner, bytes }, job, input) : found;
  };
}
