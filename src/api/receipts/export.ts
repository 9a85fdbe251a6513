import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { receiptExport, receiptExportQuery } from '../../../contracts/receipt-list.js';
import { exportEntries } from '../../../projections/receipts/queries.js';
import type { Caller } from '../../domain/caller.js';
import { lastOf } from '../input.js';
import { operation } from '../operation.js';
import type { ForReading } from '../services.js';
import { exampleEntry } from './examples.js';
import { audiencesOf } from './find.js';
import { encoded } from './shown.js';

export const receiptExportOperation = operation({
  method: 'GET',
  path: '/v1/receipts/export',
  summary: 'All entries of the workspace as they were hashed, in pages',
  access: 'export receipts',
  answerBytes: limits.exportPageBytes,
  query: receiptExportQuery,
  answers: { 200: receiptExport },
  refusals: ['admin_required', 'invalid_cursor', 'invalid_request', 'namespace_out_of_scope'],
  documentation: {
    id: 'exportReceipts',
    description:
      'From entry 1 on, in canonical form (RFC 8785): SHA-256 of a zero byte and an entry is its receipt hash, and the hashes are the leaves of the tree whose root the proof ' +
      'of each receipt names. Texts of memories are not in entries. A key needs the scope receipts.read. Follow next_cursor until it is null.',
    query: { limit: '100' },
    answers: { 200: { body: { format: 'counterfoil-entries/1', data: [exampleEntry], next_cursor: null } } },
  },
  async handle({ caller, query }, { reading: { read, cursors } }) {
    const { workspaceId } = caller;
    await requireAll(read, caller);
    const bound = [workspaceId];
    const after =
      query.cursor === undefined ? query.after : Number(cursors.open('receipt export', bound, query.cursor));
    const rows = await read((tx) => exportEntries(tx, workspaceId, after, query.limit + 1, limits.exportPageBytes));
    const page = rows.slice(0, query.limit);
    const last = lastOf(page);
    const more = last === undefined ? false : rows.length > query.limit || (await isMore(read, workspaceId, last.seq));
    const nextCursor = more && last ? cursors.seal('receipt export', bound, String(last.seq)) : null;
    const entries = page.flatMap(({ bytes }, at) => (at === 0 ? [bytes] : [',', bytes]));
    const head = '{"format":"counterfoil-entries/1","data":[';
    return { status: 200, body: encoded([head, ...entries, `],"next_cursor":${JSON.stringify(nextCursor)}}`]) };
  },
});

async function isMore(read: ForReading['read'], workspaceId: string, after: number): Promise<boolean> {
  return (await read((tx) => exportEntries(tx, workspaceId, after, 1, 1))).length > 0;
}

/** Entries of all namespaces are in the chain. A key without scopes from before there was receipts.read must be bound to the namespaces from then. */
async function requireAll(read: ForReading['read'], caller: Caller): Promise<void> {
  if (!(await read((tx) => audiencesOf(tx, caller))).includes('governance'))
    throw new Refusal('namespace_out_of_scope');
}
