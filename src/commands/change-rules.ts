import type { WriteRules } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { Caller } from '../domain/caller.js';
import { wantsNothing } from '../domain/state.js';
import { receiptId, type World } from '../world.js';
import type { Command } from './run.js';

/** Sets what the workspace asks of writes. @returns the receipt's id, null when nothing has changed */
export function changeRules(world: World, caller: Caller, rules: WriteRules): Command<string | null> {
  const receipt = receiptId(world);
  return {
    wants: { ...wantsNothing, rules: true },
    decide({ rules: before }, recordedAt) {
      if (rules.pause_all !== before.pause_all && caller.role !== 'owner') {
        throw new Refusal('admin_required', 'Only the owner pauses and resumes every agent.');
      }
      if (rules.pause_all === before.pause_all && rules.sensitive === before.sensitive) {
        return { drafts: [], deposits: [], erase: [], answer: () => null };
      }
      const { actor } = caller;
      return {
        drafts: [{ kind: 'rules.changed', receipt_id: receipt, recorded_at: recordedAt, actor, body: rules }],
        deposits: [],
        erase: [],
        answer: () => receipt,
      };
    },
  };
}
