import { catalogue, isEntryKind } from '../../../contracts/entries/catalogue.js';
import type { Audience } from '../../../contracts/entries/kind.js';
import { Refusal } from '../../../contracts/errors.js';
import { isStorable } from '../../../contracts/text.js';
import { hasEarlierNamespaceBesides } from '../../../projections/namespace/queries.js';
import { type ReceiptView, receiptById } from '../../../projections/receipts/queries.js';
import type { Transaction } from '../../database/database.js';
import { type Caller, reaches } from '../../domain/caller.js';
import { readableAudiences, readsAllReceipts } from '../../domain/receipt-access.js';
import type { ForReading } from '../services.js';

/** The audiences that the caller belongs to now. */
export async function audiencesOf(tx: Transaction, caller: Caller): Promise<readonly Audience[]> {
  const { workspaceId, namespaceIds, receipts } = caller;
  const isBound = receipts === 'while bound' && !(await hasEarlierNamespaceBesides(tx, workspaceId, namespaceIds));
  return readableAudiences(caller, isBound);
}

/**
 * The receipt of a path, by its id or by the id of a client, in that order.
 * @throws Refusal receipt_not_found, namespace_out_of_scope
 */
export async function visibleReceipt(
  read: ForReading['read'],
  caller: Caller,
  params: Readonly<Record<string, string>>,
): Promise<ReceiptView> {
  const { receipt_id: id = '' } = params;
  // An id that PostgreSQL cannot store cannot exist.
  if (!isStorable(id)) throw new Refusal('receipt_not_found');
  const { row, visible } = await read(async (tx) => {
    const row = await receiptById(tx, caller.workspaceId, id);
    return { row, visible: row !== undefined && (await isVisible(tx, caller, row)) };
  });
  if (!row) throw new Refusal('receipt_not_found');
  if (!visible) throw new Refusal('namespace_out_of_scope');
  return row;
}

async function isVisible(tx: Transaction, caller: Caller, { kind, namespace_ids }: ReceiptView): Promise<boolean> {
  if (!isEntryKind(kind)) return false;
  if (readsAllReceipts(caller)) return true;
  if (!namespace_ids.every((namespaceId) => reaches(caller, namespaceId))) return false;
  const { audience } = catalogue[kind];
  return audience === 'memory' || (await audiencesOf(tx, caller)).includes(audience);
}
