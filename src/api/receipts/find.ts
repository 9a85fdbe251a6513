import { catalogue, isEntryKind } from '../../../contracts/entries/catalogue.js';
import { Refusal } from '../../../contracts/errors.js';
import { isStorable } from '../../../contracts/text.js';
import { type ReceiptView, receiptById } from '../../../projections/receipts/queries.js';
import { type Caller, reaches } from '../../domain/caller.js';
import type { Services } from '../services.js';

/** A key that is limited by scopes sees no governance; another key sees what is about its own namespaces. */
export function seesGovernance(caller: Caller): boolean {
  return caller.scopes.length === 0;
}

/**
 * The receipt of a path, by its id or by the id of a client, in that order.
 * @throws Refusal receipt_not_found, namespace_out_of_scope
 */
export async function visibleReceipt(
  read: Services['read'],
  caller: Caller,
  params: Readonly<Record<string, string>>,
): Promise<ReceiptView> {
  const { receipt_id: id = '' } = params;
  // An id that PostgreSQL cannot store cannot exist.
  const row = isStorable(id) ? await read((tx) => receiptById(tx, caller.workspaceId, id)) : undefined;
  if (!row) throw new Refusal('receipt_not_found');
  const ofMemories = isEntryKind(row.kind) && catalogue[row.kind].audience === 'memory';
  const visible =
    (ofMemories || seesGovernance(caller)) && row.namespace_ids.every((namespaceId) => reaches(caller, namespaceId));
  if (!visible) throw new Refusal('namespace_out_of_scope');
  return row;
}
