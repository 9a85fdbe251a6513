import { Refusal } from '../../contracts/errors.js';
import type { World } from '../base/world.js';
import type { Caller } from '../domain/caller.js';
import type { Command } from './command.js';
import { nothing, recording } from './record.js';
import type { WorkspaceState } from './state/state.js';

interface PrivateErased {
  /** The service's id of the receipt whose text was erased. */
  readonly id: string;
  readonly private_erased: true;
  /** The receipt of the erasure. */
  readonly receipt_id: string;
}

/** A task receipt by both of its ids, or a decision or a handoff, which has no id of a client. */
interface NamedReceipt {
  readonly receiptId: string;
  readonly clientId: string | null;
}

/**
 * Destroys the private text of a task receipt, a decision or a handoff, with the salt of its commitment and the stored answers
 * that reveal it. Doing it a second time writes nothing, and answers with the receipt of the first time.
 * @throws Refusal receipt_not_found
 */
export function erasePrivate(world: World, caller: Caller, erased: NamedReceipt): Command<PrivateErased> {
  const record = recording(world);
  const { receiptId: id, clientId } = erased;
  return {
    actor: caller.actor,
    reads: clientId === null ? { decisions: [id] } : { tasks: [clientId] },
    decide(state) {
      const { namespaceId, erasureReceiptId } = erasable(state, erased);
      const answer = (receipt_id: string): PrivateErased => ({ id, private_erased: true, receipt_id });
      if (erasureReceiptId !== null) return nothing(answer(erasureReceiptId));
      const namespace = namespaceId === null ? {} : { namespace_id: namespaceId };
      return record.entry(
        {
          kind: 'receipt.private_erased',
          body: { erased_receipt_id: id, ...namespace },
        },
        answer(record.receipt),
      );
    },
  };
}

interface Erasable {
  /** Null for a task receipt, which belongs to no namespace. */
  readonly namespaceId: string | null;
  readonly erasureReceiptId: string | null;
}

function erasable({ tasks, decisions }: WorkspaceState, { receiptId: id, clientId }: NamedReceipt): Erasable {
  const task = clientId === null ? undefined : tasks.get(clientId);
  if (task?.entry.receipt_id === id) return { namespaceId: null, erasureReceiptId: task.erasureReceiptId };
  const decision = clientId === null ? decisions.get(id) : undefined;
  if (decision) return decision;
  throw new Refusal('receipt_not_found');
}
