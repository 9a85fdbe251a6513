import type { World } from '../../base/world.js';

/** One thing that a round of anchoring did, by name, for logs and for people. */
export type Step = 'signed' | 'cosigned' | 'submitted' | 'attested' | 'confirmed' | 'lost';

/** The work that was done, and the first fault. */
export interface Outcome {
  readonly done: readonly Step[];
  readonly failure: string | null;
}

/** The steps of a round of anchoring, in their order. */
export const stepNames = ['checkpoint', 'submit', 'cosign', 'upgrade', 'confirm'] as const;
export type StepName = (typeof stepNames)[number];

/** One step of a round: what it did, or why it could not. */
export interface Reported extends Outcome {
  readonly name: StepName;
}

/** How long a step asks other servers at most, one question after the other. The lease it runs under is longer. */
const patienceMs = 30_000;

/** Does the work for each row. One that fails does not hold up the next; those that are left are for the next round. */
export async function stepThrough<R>(
  rows: readonly R[],
  world: World,
  work: (row: R) => Promise<readonly Step[]>,
): Promise<Outcome> {
  const until = world.now().getTime() + patienceMs;
  const done: Step[] = [];
  let failure: string | null = null;
  for (const row of rows) {
    if (world.now().getTime() > until) break;
    try {
      done.push(...(await work(row)));
    } catch (error) {
      failure ??= reasonOf(error);
    }
  }
  return { done, failure };
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
