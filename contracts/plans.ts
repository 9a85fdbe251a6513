import { z } from 'zod';
import { type Plan, plans } from './entries/entry.js';
import { paused } from './rules.js';

interface PlanLimits {
  /** A month of UTC; null for none. */
  readonly actions: number | null;
  readonly memories: number | null;
  /** People who can sign in. */
  readonly people: number | null;
  /** Whether writes are refused at the limits of actions and memories. Paid plans continue. */
  readonly stops: boolean;
}

export const planLimits: Readonly<Record<Plan, PlanLimits>> = {
  free: { actions: 10_000, memories: 10_000, people: 2, stops: true },
  pro: { actions: 100_000, memories: null, people: 3, stops: false },
  team: { actions: 1_000_000, memories: null, people: null, stops: false },
  // Its actions are set by contract.
  enterprise: { actions: null, memories: null, people: null, stops: false },
};

const plan = z.enum(plans);

const ofLimit = <T extends z.ZodType>(used: T) => z.object({ used, limit: z.int().nullable() });

export const usage = z
  .object({
    plan,
    month: z.string().regex(/^\d{4}-\d\d$/),
    actions: ofLimit(z.int()),
    memories: ofLimit(z.int()),
    people: ofLimit(z.int()),
    /** When the actions are counted from none again. */
    resets_at: z.iso.datetime(),
    paused,
  })
  .meta({ id: 'Usage', description: 'What the plan allows, and how much of it is used; null means no limit.' });
