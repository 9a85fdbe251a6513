import { receiptKnown } from '../../../contracts/receipt.js';
import { receiptList } from '../../../contracts/receipt-list.js';
import { callAs } from '../../api/call.js';
import { receiptListOperation } from '../../api/receipts/list.js';
import { verifyOperation } from '../../api/receipts/verify.js';
import { stringify } from '../../base/json-text.js';
import { ask, read } from '../ask.js';
import type { PageParts, PersonRequest } from '../page.js';
import { listAddress, path } from './filters.js';

/** Receipts of one millisecond among which a hash is looked for. */
const mostOfOneMoment = '100';

/**
 * The page that a person looks for: that of a receipt by its id or hash, else the list of a session.
 * @returns null for a hash that this person may not see, or that there is not
 */
export async function find(text: string, request: PersonRequest, parts: PageParts): Promise<string | null> {
  if (/^rcp_[0-9a-f]{32}$/.test(text)) return `${path}/${text}`;
  if (!/^[0-9a-f]{64}$/.test(text)) return listAddress({ session: text });
  const id = await idOfHash(text, request, parts);
  return id === undefined ? null : `${path}/${id}`;
}

async function idOfHash(hash: string, request: PersonRequest, parts: PageParts): Promise<string | undefined> {
  const body = stringify({ receipt_hash: hash });
  const asked = await callAs({ anybody: true }, verifyOperation, { client: request.client, body }, parts);
  const { recorded_at: at } = read(receiptKnown, asked);
  if (at === undefined) return undefined;
  // The API finds no receipt by its hash, but it says when it was recorded.
  const until = new Date(Date.parse(at) + 1).toISOString();
  const query = { since: at, until, limit: mostOfOneMoment };
  const { data } = await ask(receiptList, receiptListOperation, request, { query }, parts);
  return data.find((one) => one.hash === hash)?.id;
}
