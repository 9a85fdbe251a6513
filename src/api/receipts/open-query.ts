import { actor } from '../../../contracts/entries/entry.js';
import type { Caller } from '../../domain/caller.js';
import { mayOpenQuery } from '../../domain/receipt-access.js';

/** Whether a receipt, as it is answered, is of a search whose query the caller may have opened. */
export function hasOwnQuery(receipt: { readonly kind: string; readonly actor: unknown }, caller: Caller): boolean {
  const searched = actor.safeParse(receipt.actor);
  return receipt.kind === 'memory.recall' && searched.success && mayOpenQuery(searched.data, caller);
}
