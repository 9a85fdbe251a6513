import { catalogue } from '../../contracts/entries/catalogue.js';
import type { Entry, Plan, Role } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import { planLimits } from '../../contracts/plans.js';

/** The usage of a workspace. It is read only if the plan has limits that refuse writes. */
export interface Meter {
  /** The month in UTC, such as 2026-01. */
  readonly month: string;
  /** The number of actions in that month. */
  readonly actions: number;
  /** The current number of memories. */
  readonly memories: number;
}

export const noMeter: Meter = { month: '', actions: 0, memories: 0 };

/** Whether the receipt of an entry counts as an action of the month. */
const isAction = ({ kind }: Entry): boolean => catalogue[kind].action;

/** The month of a time in UTC, such as 2026-01. */
export const monthOf = (time: string): string => time.slice(0, 7);

/** The start of the month after `month`. */
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number)).toISOString();
}

/** Whether a member needs a seat of the plan. A person without a role can do nothing here and needs none. */
export const signsIn = ({ role }: { readonly role: Role }): boolean => role !== 'none';

export function meterAfter(meter: Meter, entry: Entry): Meter {
  const month = monthOf(entry.recorded_at);
  const before = month === meter.month ? meter.actions : 0;
  return {
    month,
    actions: before + (isAction(entry) ? 1 : 0),
    memories: meter.memories + catalogue[entry.kind].memories,
  };
}

/** Whether the meter must be read before a write. */
export function stopsAtLimits(plan: Plan): boolean {
  return planLimits[plan].stops;
}

/** @throws Refusal plan_action_limit, plan_memory_limit when the plan allows no further memory at `now` */
export function requireRoom(plan: Plan, meter: Meter, now: string): void {
  requireActions(plan, meter, now, 1);
  const { stops, memories } = planLimits[plan];
  if (!stops) return;
  if (memories !== null && meter.memories >= memories) {
    throw planLimit('plan_memory_limit', plan, memories, meter.memories);
  }
}

/** @throws Refusal plan_action_limit when the plan does not allow this number of further actions at `now` */
export function requireActions(plan: Plan, meter: Meter, now: string, count: number): void {
  const { stops, actions: limit } = planLimits[plan];
  const used = monthOf(now) === meter.month ? meter.actions : 0;
  if (stops && limit !== null && used + count > limit) throw planLimit('plan_action_limit', plan, limit, used);
}

/** @throws Refusal plan_people_limit when the plan has no seat for another person */
export function requireSeat(plan: Plan, people: number): void {
  const limit = planLimits[plan].people;
  if (limit !== null && people >= limit) throw planLimit('plan_people_limit', plan, limit, people);
}

type PlanCode = 'plan_action_limit' | 'plan_memory_limit' | 'plan_people_limit';

function planLimit(code: PlanCode, current_plan: Plan, limit: number, used: number): Refusal {
  return new Refusal(code, undefined, { current_plan, limit, used });
}
