import { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { memory as memoryShape } from '../../../contracts/memory.js';
import { call } from '../../api/call.js';
import { memoryOperation } from '../../api/memories/one.js';
import { RawJson } from '../../base/json-text.js';
import { inPieces } from '../../base/steps.js';
import { facts } from '../components/facts.js';
import { identity } from '../components/identity.js';
import { done, notice } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { marked, said } from '../components/said.js';
import { type StateKind, state } from '../components/state.js';
import { time } from '../components/time.js';
import { type ListPlace, listPlace, walk, withPlace } from '../from-list.js';
import { Html, html } from '../html.js';
import { namespacesOf } from '../namespaces/all.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { proofOf } from '../receipts/proof.js';
import { readReceipt } from '../receipts/read.js';
import { historySection } from './history.js';
import { idsAt } from './listed.js';

/** The metadata as it is stored: a number is shown as it was written. */
const memory = memoryShape.extend({
  metadata: z.instanceof(RawJson),
  names: z.record(z.string(), z.string()).optional(),
});
export type ShownMemory = z.output<typeof memory>;

/** The page of one memory, for people who may read it. Agents refer people to it. */
export const memoryPage: PersonPage = {
  path: '/m/:memory_id',
  access: 'a person',
  ofMemoryApi: true,
  async show(request, parts) {
    try {
      return await memoryShown(await readMemory(request, parts), request, parts);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'memory_not_found') return goneOrUnknown(request, parts, error);
      throw error;
    }
  },
};

/** @throws Refusal memory_not_found, memory_out_of_scope */
export async function readMemory(
  { params, visitor: { caller }, client }: PersonRequest,
  parts: PageParts,
): Promise<ShownMemory> {
  const { body } = await call(
    memoryOperation,
    { caller, client, params: { memory_id: params.memory_id ?? '' }, query: { include: 'names' } },
    parts,
  );
  return memory.parse(body);
}

async function memoryShown(shown: ShownMemory, request: PersonRequest, parts: PageParts): Promise<Shown> {
  const { query, visitor, now } = request;
  const namespaces = await namespacesOf(request, parts);
  const namespace = namespaces.find(({ id }) => id === shown.namespace_id)?.name ?? shown.namespace_id;
  const writes = visitor.session.person.role !== 'reader';
  const place = listPlace('/memories', request);
  return {
    status: 200,
    title: 'Memory',
    main: html`${pageTop({ way: await walked(shown.id, place, request, parts), above: [['Memories', '/memories'], [said(namespace)]], title: html`Memory <code>…${shown.id.slice(-12)}</code>`, actions: writes && actions(shown, place) })}
${happened(query)}${shown.invalidated && notice(html`This memory is not valid any more: ${said(shown.invalidated.reason ?? 'no reason is stored')}`)}
<div class="beside"><div><section class="card">${await memoryText(shown.content)}</section>
${shown.receipt_id !== null && (await writtenProof(shown.receipt_id, request, parts))}
${await historySection(shown.id, request, parts)}</div>
<aside class="column">${await memoryFacts(shown, namespace, now)}</aside></div>`,
  };
}

/** The ways through the list from which the memory was opened. */
export function walked(
  id: string,
  place: ListPlace | null,
  request: PersonRequest,
  parts: PageParts,
): Promise<Html | undefined> {
  return walk(place, {
    id,
    ids: async () => (place === null ? [] : idsAt(place, request, parts)),
    addressOf: (one) => `/m/${one}`,
  });
}

function actions({ id, invalidated, playground }: ShownMemory, place: ListPlace | null): Html {
  const way = (change: string) => withPlace(`/m/${id}/${change}`, place);
  const links =
    invalidated === null
      ? html`<a class="button second" href="${way('correct')}">Correct</a><a class="button second" href="${way('invalidate')}">Invalidate</a>`
      : html`<a class="button second" href="${way('reinstate')}">Make valid again</a>`;
  const promote = playground && html`<a class="button second" href="${way('promote')}">Make it a real memory</a>`;
  return html`${promote}${links}<a class="button danger" href="${way('delete')}">Delete</a>`;
}

const outcomes: Readonly<Record<string, string>> = {
  written: 'The memory was written. Searches find it now or in a moment.',
  duplicate: 'This text was stored before in this namespace. Nothing was written.',
  corrected: 'The corrected text was written, and the earlier memory is not valid any more.',
  invalidated: 'The memory is marked as no longer valid. Searches leave it out.',
  promoted: 'The test memory is a real one. Lists and searches show it.',
  real: 'This was a real memory already. Nothing was written.',
  reinstated: 'The memory is valid again.',
};

function happened(query: URLSearchParams): Html | undefined {
  return done(Object.entries(outcomes).find(([name]) => query.has(name))?.[1]);
}

/** The way of the receipt of the write to the public chains. The rest of the page stays where the receipt cannot be read. */
async function writtenProof(id: string, request: PersonRequest, parts: PageParts): Promise<Html | undefined> {
  try {
    const { names: _, ...receipt } = await readReceipt(id, request, parts);
    return (await proofOf(receipt, request, parts)).way;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** A text of a caller is only ever shown as text; a long one is written in pieces, so that other requests do not wait. */
export async function memoryText(content: string): Promise<Html> {
  const text = await inPieces(content, (piece) => marked(piece).text);
  return html`<div class="memory"><bdi dir="auto">${new Html(text)}</bdi></div>`;
}

export async function memoryFacts(shown: ShownMemory, namespace: string, now: number): Promise<Html> {
  const { source, provenance, invalidated, metadata, receipt_id, content_hash, names = {} } = shown;
  const { user_id, agent_id, app_id, run_id } = provenance;
  const metadataText = await inPieces(metadata.text, (piece) => marked(piece).text);
  return html`${facts([
    ['Namespace', said(namespace)],
    source !== null && ['Source', said(source)],
    user_id !== null && ['Person', said(names[user_id] ?? user_id)],
    agent_id !== null && ['Agent', said(names[agent_id] ?? agent_id)],
    app_id !== null && ['Written by', said(app_id)],
    run_id !== null && ['Run', said(run_id)],
    ['Written', time(shown.created_at, now)],
    invalidated !== null && ['Invalidated', time(invalidated.at, now)],
    !!invalidated?.superseded_by && [
      'Valid instead',
      identity(invalidated.superseded_by, `/m/${invalidated.superseded_by}`),
    ],
    ['State', stateOf(shown)],
    receipt_id !== null && ['Receipt', identity(receipt_id, `/receipts/${receipt_id}`)],
    ['SHA-256', identity(content_hash)],
    shown.playground && ['Kind', html`<a href="/playground">a test memory</a>`],
  ])}${metadata.text !== '{}' && html`<section><h2>Metadata</h2><pre><bdi dir="auto">${new Html(metadataText)}</bdi></pre></section>`}`;
}

function stateOf({ status, invalidated }: ShownMemory): Html {
  if (invalidated !== null) return state('absent', 'Not valid');
  const kinds: Readonly<Record<ShownMemory['status'], readonly [StateKind, string]>> = {
    ready: ['verified', 'Ready'],
    pending: ['waits', 'Being indexed'],
    failed: ['failed', 'Not searchable'],
  };
  return state(...kinds[status]);
}

/** A deleted memory is shown by what the ledger keeps of it; where the ledger has nothing that the person may see, there is no page. */
async function goneOrUnknown(request: PersonRequest, parts: PageParts, refusal: Refusal): Promise<Shown> {
  const id = request.params.memory_id ?? '';
  const history = /^[0-9a-f-]{36}$/.test(id) ? await historySection(id, request, parts) : undefined;
  if (history === undefined) throw refusal;
  return {
    status: 410,
    title: 'Deleted memory',
    main: html`${pageTop({ way: await walked(id, listPlace('/memories', request), request, parts), above: [['Memories', '/memories']], title: html`Deleted memory <code>…${id.slice(-12)}</code>`, lead: 'Its text, its metadata and the key to both are destroyed. The ledger keeps that it existed, who wrote it and who deleted it.' })}
${done(request.query.has('deleted') ? 'The memory was deleted.' : undefined)}
${history}`,
  };
}
