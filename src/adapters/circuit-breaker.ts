/** Calls that fail one after the other before no more are made. */
const failuresToOpen = 3;
/** How long no call is made then. After that one call shows whether the other side has recovered. */
const openMs = 5000;

/** Makes no calls to a side that does not answer, so that not every caller waits for it. */
export interface CircuitBreaker {
  /** @throws CircuitOpen at once when no calls are made; otherwise what `call` throws */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Whether a call would be refused now. */
  isOpen(): boolean;
}

export class CircuitOpen extends Error {
  override name = 'CircuitOpen';
  constructor() {
    super('it did not answer the last calls, and is not called now');
  }
}

interface Reports {
  /** The failures reached their limit. */
  opened(cause: unknown): void;
  closed(): void;
}

export function circuitBreaker(
  { opened, closed }: Reports,
  now: () => number = () => performance.now(),
): CircuitBreaker {
  let failures = 0;
  let openUntil = Number.NEGATIVE_INFINITY;
  return {
    isOpen: () => now() < openUntil,
    async run(call) {
      if (now() < openUntil) throw new CircuitOpen();
      // While this call shows whether the other side has recovered, no other call is made.
      if (failures >= failuresToOpen) openUntil = now() + openMs;
      try {
        const answer = await call();
        if (failures >= failuresToOpen) closed();
        failures = 0;
        openUntil = Number.NEGATIVE_INFINITY;
        return answer;
      } catch (error) {
        failures++;
        if (failures >= failuresToOpen) openUntil = now() + openMs;
        if (failures === failuresToOpen) opened(error);
        throw error;
      }
    },
  };
}
