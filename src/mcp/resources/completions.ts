import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { isStorable } from '../../../contracts/text.js';
import { admit } from '../../api/admission.js';
import { cursorBefore, memoryListOperation } from '../../api/memories/list.js';
import { shortId } from '../../api/memories/short-id.js';
import type { Complete, Completing, Completion } from '../registry.js';
import type { Calling } from '../tool.js';
import { type ListedMemory, newestMemories } from './newest.js';
import { memoryTemplate, receiptTemplate } from './resources.js';

/** Proposes ids of the newest memories, or of their receipts, that begin with a value or whose memories contain its words. */
export const complete: Complete = async ({ of, argument: { name, value } }, calling) => {
  await admit(memoryListOperation, calling.caller, calling.rateLimits);
  const idOf = idsFor(of, name);
  if (idOf === null || !isStorable(value)) return { values: [] };
  const typed = value.trim().slice(0, limits.listQueryCharacters);
  const pages = typed === '' ? [await newestMemories(calling, {})] : await matching(typed, idOf, calling);
  const ids = new Set(pages.flatMap(({ data }) => data.flatMap((memory) => idOf(memory) ?? [])));
  const values = [...ids].slice(0, limits.completions);
  const hasMore = ids.size > values.length || pages.some(({ next_cursor }) => next_cursor !== null);
  return { values, ...(hasMore ? { hasMore } : { total: values.length, hasMore }) } satisfies Completion;
};

type ReadId = (memory: ListedMemory) => string | null;
const memoryId: ReadId = ({ id }) => id;
const receiptId: ReadId = ({ receipt_id }) => receipt_id;

/** How a value is read from a memory; null for arguments that have no values to propose. */
function idsFor(of: Completing['of'], name: string): ReadId | null {
  if (of.kind === 'prompt') {
    if (of.name === 'with_memory' || of.name === 'remember_this') return null;
    throw unknown('ref.name', 'with_memory or remember_this');
  }
  if (of.uriTemplate === memoryTemplate) return name === 'id' ? memoryId : null;
  if (of.uriTemplate === receiptTemplate) return name === 'receipt_id' ? receiptId : null;
  throw unknown('ref.uri', `${memoryTemplate} or ${receiptTemplate}`);
}

function unknown(path: string, allowed: string): Refusal {
  const message = `${path} must be ${allowed}.`;
  return new Refusal('invalid_request', message, { issues: [{ path, message }] });
}

/** The memories whose ids or short ids begin with the value, then those that contain it as words. */
async function matching(value: string, idOf: ReadId, calling: Calling) {
  const named =
    idOf === memoryId
      ? [await memoriesBeginning(value, calling), await shortIdsBeginning(value, calling)]
      : [await receiptsBeginning(value, calling)];
  return [...named, await newestMemories(calling, { q: value })];
}

const none = { data: [], next_cursor: null };

/** Of the newest memories only: receipts are not in the order of memories. */
async function receiptsBeginning(value: string, calling: Calling) {
  if (!value.startsWith('rcp_')) return none;
  const { data } = await newestMemories(calling, {});
  return { data: data.filter(({ receipt_id }) => receipt_id?.startsWith(value)), next_cursor: null };
}

/** Of the newest memories only: the ends of ids have no order. */
async function shortIdsBeginning(value: string, calling: Calling) {
  if (!/^[0-9a-f]{4,12}$/i.test(value)) return none;
  const { data } = await newestMemories(calling, {});
  return { data: data.filter(({ id }) => shortId(id).startsWith(value.toLowerCase())), next_cursor: null };
}

/** Ids are listed in falling order, so that those with one beginning are neighbours. */
async function memoriesBeginning(value: string, calling: Calling) {
  const prefix = value.replaceAll('-', '').toLowerCase();
  if (!/^[0-9a-f]{1,32}$/.test(prefix)) return none;
  const after = BigInt(`0x${prefix.padEnd(32, 'f')}`) + 1n;
  const digits = after.toString(16).padStart(32, '0');
  const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const cursor = digits.length > 32 ? undefined : cursorBefore(calling.services.reading.cursors, calling.caller, id);
  const page = await newestMemories(calling, cursor === undefined ? {} : { cursor });
  const data = page.data.filter((memory) => memory.id.replaceAll('-', '').startsWith(prefix));
  return { data, next_cursor: data.length < page.data.length ? null : page.next_cursor };
}
