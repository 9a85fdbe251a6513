import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { admit } from '../../api/admission.js';
import { call } from '../../api/call.js';
import { memoryListOperation } from '../../api/memories/list.js';
import { memoryOperation } from '../../api/memories/one.js';
import { memoryIdOf } from '../../api/memories/short-id.js';
import type { WorkspaceOperation } from '../../api/operation.js';
import { receiptOperation } from '../../api/receipts/receipts.js';
import { excerptOf } from '../../base/excerpt.js';
import { isObject, RawJson, stringify } from '../../base/json-text.js';
import { inPieces } from '../../base/steps.js';
import type { ResourceContents, ResourceDefinition, Resources } from '../registry.js';
import { notInstructions } from '../results/notes.js';
import type { Calling } from '../tool.js';
import { type ListedMemory, newestMemories } from './newest.js';

export const memoryTemplate = 'memory://{id}';
export const receiptTemplate = 'receipt://{receipt_id}';

const nameCharacters = 60;

/** Memories and receipts, read as the routes of the API read them. Reading writes no receipt. */
export const resources: Resources = {
  templates: [
    {
      uriTemplate: memoryTemplate,
      name: 'memory',
      title: 'Memory',
      description: 'One memory by its id: its text, and the whole memory as JSON with metadata, author and receipt.',
      mimeType: 'text/plain',
    },
    {
      uriTemplate: receiptTemplate,
      name: 'receipt',
      title: 'Receipt',
      description: 'One receipt by its id: the entry that was hashed, its hash, and how far it is anchored.',
      mimeType: 'application/json',
    },
  ],
  async list(cursor, calling) {
    await admit(memoryListOperation, calling.caller, calling.rateLimits);
    const place = cursor === undefined ? { listed: 0 } : placeOf(cursor, calling);
    const page = await newestMemories(calling, place.cursor === undefined ? {} : { cursor: place.cursor });
    const listed = place.listed + limits.listMax;
    const isLast = page.next_cursor === null || listed >= limits.resourcesListed;
    return {
      resources: page.data.map(definitionOf),
      ...(!isLast && {
        nextCursor: calling.services.reading.cursors.seal(list, bound(calling), `${listed} ${page.next_cursor}`),
      }),
    };
  },
  read: (uri, calling) =>
    readAt(uri, calling).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal(error.code, error.message, { ...error.details, uri }, { cause: error });
    }),
};

async function readAt(uri: string, calling: Calling): Promise<readonly ResourceContents[]> {
  const [, scheme, written = ''] = /^(memory|receipt):\/\/([^/]+)$/.exec(uri) ?? [];
  const id = decoded(written);
  if (scheme === 'memory') return readMemory(uri, id, calling);
  if (scheme === 'receipt') return [await json(uri, await bodyOf(receiptOperation, { receipt_id: id }, calling))];
  const message = `uri must be ${memoryTemplate} or ${receiptTemplate}, with the id of a memory or a receipt.`;
  throw new Refusal('invalid_request', message, { issues: [{ path: 'uri', message }] });
}

const list = 'resources';
const bound = ({ caller }: Calling) => [caller.workspaceId];

/** The number of resources that were listed before, and the cursor of the API. @throws Refusal invalid_cursor */
function placeOf(cursor: string, calling: Calling): { readonly listed: number; readonly cursor?: string } {
  const [listed = '', rest = ''] = calling.services.reading.cursors.open(list, bound(calling), cursor).split(' ');
  return { listed: Number(listed), cursor: rest };
}

function definitionOf({ id, excerpt, source, receipt_id, created_at }: ListedMemory): ResourceDefinition {
  const from = source === null ? '' : `, from ${excerptOf(source, nameCharacters)}`;
  const receipt = receipt_id === null ? '' : `, receipt ${receipt_id}`;
  return {
    uri: `memory://${id}`,
    name: id,
    title: excerptOf(excerpt.replace(/\s+/g, ' ').trim(), nameCharacters),
    description: `Written ${created_at}${from}${receipt}.`,
    mimeType: 'text/plain',
  };
}

async function readMemory(uri: string, id: string, calling: Calling): Promise<ResourceContents[]> {
  const known = await memoryIdOf(memoryOperation, id, calling.caller, calling.services);
  const memory = await bodyOf(memoryOperation, { memory_id: known }, calling);
  if (!isObject(memory) || typeof memory.content !== 'string') throw new Error('a memory without content');
  const content = await encoded(memory.content);
  const _meta = { 'counterfoil/notice': notInstructions };
  return [
    { uri, mimeType: 'text/plain', text: content, _meta },
    { ...(await json(uri, { ...memory, content })), _meta },
  ];
}

async function bodyOf(
  operation: WorkspaceOperation,
  params: Readonly<Record<string, string>>,
  { caller, client, services, rateLimits }: Calling,
): Promise<unknown> {
  return (await call(operation, { caller, client, params }, { services, rateLimits })).body;
}

async function json(uri: string, body: unknown): Promise<ResourceContents> {
  return { uri, mimeType: 'application/json', text: await encoded(stringify(body)) };
}

/** A text as a string of JSON. */
async function encoded(text: string): Promise<RawJson> {
  return new RawJson(`"${await inPieces(text, (piece) => JSON.stringify(piece).slice(1, -1))}"`);
}

/** An id that a client has chosen may need escapes in an address. One that cannot be decoded is looked up as it is. */
function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
