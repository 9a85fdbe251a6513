import { kindsFor } from '../../../contracts/entries/catalogue.js';
import { Refusal } from '../../../contracts/errors.js';
import type { InputOf } from '../../../contracts/input.js';
import { receiptList, receiptListQuery } from '../../../contracts/receipt-list.js';
import type { ReceiptFilter } from '../../../projections/receipts/filter-sql.js';
import { type ListedReceipt, listReceipts, receiptsAfter } from '../../../projections/receipts/queries.js';
import { isUuid } from '../../base/world.js';
import type { Database, Transaction } from '../../database/database.js';
import { type Caller, readableNamespaces } from '../../domain/caller.js';
import { readsAllReceipts } from '../../domain/receipt-access.js';
import { lastOf } from '../input.js';
import { namesFor } from '../names.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import type { ForReading } from '../services.js';
import { exampleDecision, exampleReceipt, exampleTask } from './examples.js';
import { audiencesOf } from './find.js';
import { encoded, showReceipts } from './shown.js';

export const receiptListOperation = operation({
  method: 'GET',
  path: '/v1/receipts',
  summary: 'Receipts, newest first, or those after a number, oldest first',
  access: 'receipts.read',
  query: receiptListQuery,
  answers: { 200: receiptList },
  refusals: ['invalid_cursor', 'invalid_request', 'namespace_out_of_scope', 'namespace_not_found'],
  documentation: {
    id: 'listReceipts',
    description:
      'Filters may be combined. Decisions and handoffs come with what they say, unless it was erased. receipt_id finds task receipts also by the ids of clients that do not fit into a path. status, session, trace ' +
      'and handles leave only task receipts. after lists the oldest first, to follow what is recorded: its answers have next_after instead of a cursor.',
    query: { agent: '@triage-bot', limit: '25' },
    answers: {
      200: {
        description: 'A page of receipts.',
        body: { data: [exampleDecision, exampleTask, exampleReceipt], next_cursor: samples.cursor },
      },
    },
  },
  async handle({ caller, query }, { reading }) {
    const filter = filterOf(caller, query);
    if (query.after !== undefined) return tail(reading, caller, filter, query.after, query);
    const bound = boundBy(caller, query);
    const { limit, cursor } = query;
    const before = cursor === undefined ? null : Number(reading.cursors.open('receipts', bound, cursor));
    const rows = await reading.readList(caller.workspaceId, async (tx) =>
      listReceipts(tx, caller.workspaceId, await visibleTo(tx, caller, filter), before, limit + 1),
    );
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(page) : undefined;
    const nextCursor = last ? reading.cursors.seal('receipts', bound, String(last.seq)) : null;
    return answer(reading, caller, query, page, { next_cursor: nextCursor });
  },
});

type Query = InputOf<typeof receiptListQuery>;

/** The filters of a query; the kinds that the caller may see are added when the list is read. */
type Asked = Omit<ReceiptFilter, 'visible'>;

function filterOf(caller: Caller, query: Query): Asked {
  const { kind, memory_id, namespace_id, actor, agent, since, until, receipt_id, status, session, trace } = query;
  const all = readsAllReceipts(caller);
  if (namespace_id !== undefined && !all) readableNamespaces(caller, [namespace_id]);
  const byHandle = agent?.startsWith('@') ?? false;
  return {
    namespaceIds: all ? null : caller.namespaceIds,
    kinds: kind?.kinds,
    memoryId: memory_id,
    namespaceId: namespace_id,
    // Ids of keys and people are UUIDs, which may be written in upper case. Those of grants are not.
    actor: actor !== undefined && isUuid(actor) ? actor.toLowerCase() : actor,
    agent: byHandle ? undefined : agent,
    handle: byHandle ? agent : undefined,
    since,
    until,
    receiptId: receipt_id,
    status,
    session,
    trace,
  };
}

/** The filters that a cursor is bound to. Those that earlier versions did not have are left out where they are not used, so that their cursors continue. */
function boundBy({ workspaceId }: Caller, query: Query): unknown[] {
  const { kind, agent, since, until, receipt_id: receiptId, status, session, trace } = query;
  const { memory_id, namespace_id, actor } = query;
  const used = [
    { receiptId, status, session, trace },
    { memory_id, namespace_id, actor },
  ].filter((filters) => Object.values(filters).some((value) => value !== undefined));
  return [workspaceId, kind?.text, agent, since, until, ...used];
}

async function visibleTo(tx: Transaction, caller: Caller, filter: Asked): Promise<ReceiptFilter> {
  const audiences = await audiencesOf(tx, caller);
  return { ...filter, visible: audiences.includes('governance') ? null : kindsFor('memory') };
}

/** @throws Refusal invalid_request */
async function tail(reading: ForReading, caller: Caller, filter: Asked, after: number, query: Query) {
  const { cursor, until, limit } = query;
  if (cursor !== undefined || until !== undefined) {
    const other = cursor === undefined ? 'until' : 'cursor';
    throw new Refusal('invalid_request', `after cannot be combined with ${other}: continue with next_after.`);
  }
  const { workspaceId } = caller;
  const { rows, newest } = await reading.readList(workspaceId, async (tx) =>
    receiptsAfter(tx, workspaceId, await visibleTo(tx, caller, filter), after, limit),
  );
  if (after > newest) {
    throw new Refusal(
      'invalid_request',
      `after: the newest receipt has the number ${newest}, so none can be after ${after}.`,
    );
  }
  const next = rows.length < limit ? newest : (lastOf(rows)?.seq ?? newest);
  return answer(reading, caller, query, rows, { next_cursor: null, next_after: next });
}

async function answer(
  { readList, vault }: ForReading,
  caller: Caller,
  { include }: Query,
  rows: readonly ListedReceipt[],
  others: Readonly<Record<string, unknown>>,
) {
  const read: Database['read'] = (work) => readList(caller.workspaceId, work);
  const names = namesFor(caller, include === 'names');
  const shown = await showReceipts({ read, vault }, caller, rows, names);
  const last = { ...others, ...(await names.read(read)) };
  const receipts = shown.flatMap(({ json }, at) => (at === 0 ? [json] : [',', json]));
  return { status: 200 as const, body: encoded(['{"data":[', ...receipts, `],${JSON.stringify(last).slice(1)}`]) };
}
