import { membersOf, workspaceById } from '../../projections/account/queries.js';
import { nextNotice } from '../../projections/approvals/due.js';
import {
  type ClaimedApprovalMail,
  claimApprovalMails,
  endApprovalMail,
  forgetNotices,
  type Notice,
  recordMails,
  recordNotices,
  releaseApprovalMails,
  type Unannounced,
  unannounced,
} from '../../projections/approvals/mails.js';
import { type ApprovalView, approvalById } from '../../projections/approvals/queries.js';
import { namesOf } from '../../projections/names/queries.js';
import { isUuid } from '../base/world.js';
import type { Transaction } from '../database/database.js';
import { decidersAmong } from '../domain/approval.js';
import { approvalMail } from '../domain/approval-mail.js';
import type { DueJob } from './lookout.js';
import type { Job } from './loop.js';
import { type OutboxParts, sendingMails } from './outbox.js';

const dayMs = 24 * 3_600_000;
/** Approvals that are announced in one transaction. */
const perStep = 20;
/** How long notices are kept after the approval has expired: longer than the clock of a process may be set back. */
const retentionMs = 30 * dayMs;
/** How often old notices are removed. */
const forgetMs = 10 * 60_000;

/**
 * Writes to the people who may decide about an approval, once when it waits and once a day before it expires. The notice and
 * its e-mails are one transaction, so an approval has each of them once, in all processes; `sendingMails` says what a kill
 * leaves. Whether there is still something to decide, and whether the person still may, is looked at before each attempt.
 */
export function mailingDeciders(parts: OutboxParts): DueJob {
  const { database, world } = parts;
  return sendingMails(parts, {
    name: 'approval-mails',
    due: nextNotice,
    claim: claimApprovalMails,
    release: releaseApprovalMails,
    end: endApprovalMail,
    write: (claimed) => database.read((tx) => written(tx, parts, claimed)),
    async fill() {
      const now = world.now();
      const soon = new Date(now.getTime() + dayMs);
      const waiting = await database.read((tx) => unannounced(tx, now, soon, perStep));
      if (waiting.length === 0) return false;
      await database.transaction(async (tx) => {
        for (const one of waiting) await announce(tx, parts, one);
      });
      return waiting.length === perStep;
    },
  });
}

/** Forgets the notices about approvals that expired long ago. */
export const forgettingNotices = ({ database, world }: Pick<OutboxParts, 'database' | 'world'>): Job => ({
  name: 'forgetting notices',
  firstMs: forgetMs,
  napMs: forgetMs,
  async work() {
    const until = new Date(world.now().getTime() - retentionMs);
    await database.transaction((tx) => forgetNotices(tx, until, 10_000));
    return false;
  },
});

async function announce(tx: Transaction, { world }: OutboxParts, one: Unannounced): Promise<void> {
  const { id: approvalId, workspace_id: workspaceId, user_id: userId, expires_at: expiresAt } = one;
  const notice = one.is_new ? 'waiting' : 'ending';
  // An approval that is first announced within its last day is not announced a second time.
  const notices: readonly Notice[] = one.is_new && one.is_ending ? ['waiting', 'ending'] : [notice];
  if (!(await recordNotices(tx, { approvalId, expiresAt, notices })).includes(notice)) return;
  const deciders = decidersAmong(await membersOf(tx, workspaceId), userId);
  const mails = deciders.map(({ id: memberId }) => ({ id: world.id(), memberId }));
  await recordMails(tx, { approvalId, workspaceId, notice }, mails, world.now());
}

/** @returns the reason as a text where there is nothing to send any more */
async function written(
  tx: Transaction,
  { world, baseUrl }: OutboxParts,
  { approval_id: id, workspace_id: workspaceId, notice, member_id: memberId }: ClaimedApprovalMail,
) {
  const approval = await approvalById(tx, workspaceId, id);
  if (approval?.status !== 'pending' || new Date(approval.expires_at) <= world.now())
    return 'there is nothing to decide';
  const deciders = decidersAmong(await membersOf(tx, workspaceId), approval.user_id);
  const decider = deciders.find((one) => one.id === memberId);
  if (!decider) return 'the person may not decide any more';
  const [workspace, names] = await Promise.all([workspaceById(tx, workspaceId), namesIn(tx, workspaceId, approval)]);
  const { requester_id: requesterId, agent_id: agent } = approval;
  const { subject, text } = approvalMail({
    id,
    notice,
    baseUrl,
    workspace: workspace.name,
    requester: { type: approval.requester_type, name: names.get(requesterId ?? '') ?? null },
    agent: agent === null ? null : (names.get(agent) ?? agent),
    summary: approval.summary,
    expiresAt: approval.expires_at,
  });
  return { subject, text, to: decider.email, date: new Date(approval.created_at) };
}

/** The names of who asked. */
function namesIn(tx: Transaction, workspaceId: string, { requester_id, agent_id }: ApprovalView) {
  const ids = [requester_id, agent_id].flatMap((id) => id ?? []);
  const asked = { uuids: ids.filter(isUuid), others: ids.filter((id) => !isUuid(id)), namespaceIds: [] };
  return namesOf(tx, workspaceId, asked, null);
}
