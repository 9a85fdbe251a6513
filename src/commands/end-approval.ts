import type { World } from '../base/world.js';
import type { Command } from './command.js';
import { system } from './open-workspace.js';
import { nothing, recording } from './record.js';

/** Ends an approval of a delete by a filter that has expired, which destroys its filter and its ids. Doing it again writes nothing. */
export function endApproval(world: World, id: string): Command<void> {
  const record = recording(world);
  return {
    actor: system,
    reads: { governance: { approvals: [id] } },
    decide({ governance }, recordedAt) {
      const approval = governance.approvals.get(id);
      const isOpen = approval?.status === 'pending' || approval?.status === 'approved';
      if (!approval?.selected || approval.ended || !isOpen || approval.expiresAt > recordedAt) {
        return nothing(undefined);
      }
      const { requestedReceiptId: requested_receipt_id, namespaceIds: namespace_ids } = approval;
      const body = { approval_id: id, requested_receipt_id, reason: 'expired', namespace_ids } as const;
      return record.entry({ kind: 'approval.ended', body }, undefined);
    },
  };
}
