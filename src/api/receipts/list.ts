import { kindsFor } from '../../../contracts/entries/catalogue.js';
import { receiptList, receiptListQuery } from '../../../contracts/receipt-list.js';
import type { ReceiptFilter } from '../../../projections/receipts/filter-sql.js';
import { listReceipts } from '../../../projections/receipts/queries.js';
import type { Database } from '../../database/database.js';
import { lastOf } from '../input.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { exampleDecision, exampleReceipt, exampleTask } from './examples.js';
import { audiencesOf } from './find.js';
import { encoded, showReceipts } from './shown.js';

export const receiptListOperation = operation({
  method: 'GET',
  path: '/v1/receipts',
  summary: 'Receipts, newest first',
  access: 'memory.read',
  query: receiptListQuery,
  answers: { 200: receiptList },
  refusals: ['invalid_cursor', 'invalid_request'],
  documentation: {
    id: 'listReceipts',
    description:
      'Filters may be combined. Decisions and handoffs come with what they say, unless it was erased. receipt_id finds task receipts also by the ids of clients that do not fit into a path. status, session, trace ' +
      'and handles leave only task receipts.',
    query: { agent: '@triage-bot', limit: '25' },
    answers: {
      200: {
        description: 'A page of receipts.',
        body: { data: [exampleDecision, exampleTask, exampleReceipt], next_cursor: samples.cursor },
      },
    },
  },
  async handle({ caller, query }, { reading: { readList, vault, cursors } }) {
    const { workspaceId, namespaceIds } = caller;
    const { kind, agent, since, until, receipt_id: receiptId, status, session, trace, limit, cursor } = query;
    const byHandle = agent?.startsWith('@') ?? false;
    const filter: Omit<ReceiptFilter, 'kinds'> = {
      namespaceIds,
      kind,
      agent: byHandle ? undefined : agent,
      handle: byHandle ? agent : undefined,
      since,
      until,
      receiptId,
      status,
      session,
      trace,
    };
    const ofTasks = { receiptId, status, session, trace };
    // Without the filters of task receipts the cursors of earlier versions continue their lists.
    const more = Object.values(ofTasks).some((value) => value !== undefined) ? [ofTasks] : [];
    const bound = [workspaceId, kind, agent, since, until, ...more];
    const before = cursor === undefined ? null : Number(cursors.open('receipts', bound, cursor));
    const read: Database['read'] = (work) => readList(workspaceId, work);
    const rows = await read(async (tx) => {
      const audiences = await audiencesOf(tx, caller);
      const kinds = audiences.includes('governance') ? null : kindsFor('memory');
      return listReceipts(tx, workspaceId, { ...filter, kinds }, before, limit + 1);
    });
    const page = rows.slice(0, limit);
    const shown = await showReceipts({ read, vault }, workspaceId, page);
    const last = rows.length > limit ? lastOf(page) : undefined;
    const nextCursor = last ? cursors.seal('receipts', bound, String(last.seq)) : null;
    const receipts = shown.flatMap(({ json }, at) => (at === 0 ? [json] : [',', json]));
    const body = encoded(['{"data":[', ...receipts, `],"next_cursor":${JSON.stringify(nextCursor)}}`]);
    return { status: 200, body };
  },
});
