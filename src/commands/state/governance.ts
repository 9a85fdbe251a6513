import { forKinds } from '../../../contracts/entries/by-kind.js';
import type { EntryKind, Plan, WriteRules } from '../../../contracts/entries/entry.js';
import type { RecordedOf } from '../../../contracts/entries/recorded.js';
import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { rulesOf } from '../../../projections/account/queries.js';
import { approvalStates } from '../../../projections/approvals/queries.js';
import { meterOf } from '../../../projections/meter/queries.js';
import { type ApprovalEntry, type Approvals, approvalsAfter } from '../../domain/approval.js';
import { type Meter, meterAfter, monthOf, noMeter, stopsAtLimits } from '../../domain/plan.js';
import { type Loading, type Slice, stepwise } from './slice.js';

interface Governance {
  readonly rules: WriteRules;
  readonly plan: Plan;
  /** Whether task receipts that are recorded now are public. */
  readonly publishesTasks: boolean;
  /** The use of the month, where the plan stops at a limit. */
  readonly meter: Meter;
  readonly approvals: Approvals;
}

interface GovernanceReads {
  /** Whether the rules of the workspace matter, what its plan has left, and whether it publishes its task receipts. */
  readonly rules?: true;
  /** Approvals by their id or by the receipt of their decision. */
  readonly approvals?: readonly string[];
  /** The caller whose pending requests matter: `maybe` if the workspace has a rule that holds writes, `surely` in any case. */
  readonly requester?: { readonly id: string; readonly holds: 'maybe' | 'surely' } | null;
}

/** The rules of a workspace that has set none. */
const defaultRules: WriteRules = { pause_all: false, sensitive: 'redact', ask_owner: [] };

const empty: Governance = {
  rules: defaultRules,
  plan: 'enterprise',
  publishesTasks: false,
  meter: noMeter,
  approvals: new Map(),
};

/** Rules, plan, publication, meter and approvals. They are one part because the rules decide which approvals have to be loaded. */
export const governance: Slice<GovernanceReads, Governance> = {
  empty,
  async load(loading, reads) {
    const { tx, workspaceId } = loading;
    const known = reads.some((one) => one.rules) ? await rulesOf(tx, workspaceId) : empty;
    const { rules, plan, publishesTasks } = known;
    const approvals = await loadApprovals(loading, reads, rules);
    const meter = stopsAtLimits(plan) ? await loadMeter(loading) : noMeter;
    return { rules, plan, publishesTasks, meter, approvals };
  },
  evolve: stepwise({
    ...forKinds<Governance, [Governance]>(({ action }) => action, metered),
    'rules.changed': (before, { entry }) => ({ ...before, rules: entry.body }),
    'workspace.provisioned': (before, { entry }) => ({ ...before, plan: entry.body.plan }),
    'workspace.publishing_changed': (before, { entry }) => ({
      ...before,
      publishesTasks: entry.body.publish_task_receipts,
    }),
    'memory.write': (before, one) => withApproval(metered(before, one), one),
    'memory.promoted': withApproval,
    'memory.delete': (before, one) => withApproval(metered(before, one), one),
    'approval.requested': withApproval,
    approval: (before, one) => withApproval(metered(before, one), one),
    'approval.ended': withApproval,
  }),
};

/** Only actions and memories count. No command asks for the month of other entries before the next action. */
function metered(before: Governance, { entry }: RecordedOf<EntryKind>): Governance {
  return { ...before, meter: meterAfter(before.meter, entry) };
}

function withApproval(before: Governance, { entry, deposit }: RecordedOf<ApprovalEntry['kind']>): Governance {
  return { ...before, approvals: approvalsAfter(before.approvals, entry, deposit) };
}

/** @throws Refusal approval_unavailable */
async function loadApprovals(
  { tx, workspaceId }: Loading,
  reads: readonly GovernanceReads[],
  rules: WriteRules,
): Promise<Approvals> {
  const asks = rules.ask_owner.length > 0;
  const ids = [...new Set(reads.flatMap(({ approvals = [] }) => approvals))];
  const requesters = reads.flatMap(({ requester }) =>
    requester && (asks || requester.holds === 'surely') ? requester.id : [],
  );
  if (ids.length + requesters.length === 0) return empty.approvals;
  try {
    const found = await approvalStates(tx, workspaceId, ids, [...new Set(requesters)], limits.pendingApprovals);
    return new Map(found.map((one) => [one.id, one]));
  } catch (cause) {
    throw new Refusal('approval_unavailable', undefined, {}, { cause });
  }
}

/** @throws Refusal meter_unavailable: without the meter it is not known whether the plan has room */
async function loadMeter({ tx, workspaceId, now }: Loading): Promise<Meter> {
  try {
    return await meterOf(tx, workspaceId, monthOf(now.toISOString()));
  } catch (cause) {
    throw new Refusal('meter_unavailable', undefined, {}, { cause });
  }
}
