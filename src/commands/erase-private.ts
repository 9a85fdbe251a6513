import { Refusal } from '../../contracts/errors.js';
import type { Caller } from '../domain/caller.js';
import { receiptId, type World } from '../world.js';
import type { Command } from './command.js';

export interface PrivateErased {
  /** The service's id of the task receipt. */
  readonly id: string;
  readonly private_erased: true;
  /** The receipt of the erasure. */
  readonly receipt_id: string;
}

/** A task receipt by both of its ids. */
export interface NamedReceipt {
  readonly receiptId: string;
  readonly clientId: string;
}

/**
 * Destroys the private text of a task receipt, with the salt of its commitment and the stored answers that reveal it. Doing
 * it a second time writes nothing, and answers with the receipt of the first time.
 * @throws Refusal receipt_not_found
 */
export function erasePrivate(world: World, caller: Caller, erased: NamedReceipt): Command<PrivateErased> {
  const receipt = receiptId(world);
  return {
    actor: caller.actor,
    reads: { tasks: [erased.clientId] },
    decide(state) {
      const task = state.tasks.get(erased.clientId);
      if (task?.entry.receipt_id !== erased.receiptId) throw new Refusal('receipt_not_found');
      const answer = (id: string): PrivateErased => ({ id: erased.receiptId, private_erased: true, receipt_id: id });
      const { erasureReceiptId } = task;
      if (erasureReceiptId !== null) return { drafts: [], deposits: [], answer: () => answer(erasureReceiptId) };
      return {
        drafts: [
          {
            kind: 'receipt.private_erased',
            receipt_id: receipt,
            body: { erased_receipt_id: erased.receiptId },
          },
        ],
        deposits: [],
        answer: () => answer(receipt),
      };
    },
  };
}
