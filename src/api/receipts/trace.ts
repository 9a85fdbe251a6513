import { receiptTrace } from '../../../contracts/any-receipt.js';
import { limits } from '../../../contracts/limits.js';
import { type ListedReceipt, listedAt, type ReceiptView } from '../../../projections/receipts/queries.js';
import { type TaskView, tasksByReceiptId, tasksOfSession, tasksOfTrace } from '../../../projections/tasks/queries.js';
import type { Transaction } from '../../database/database.js';
import { type Spanned, traceParts, traceTree } from '../../domain/task/trace.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { exampleTask } from './examples.js';
import { visibleReceipt } from './find.js';
import { encoded, showReceipts } from './shown.js';

const childOfExample = {
  ...exampleTask,
  id: samples.otherReceipt,
  receipt_id: 'run-2026-000418',
  seq: 44,
  task: {
    ...exampleTask.task,
    receipt_id: 'run-2026-000418',
    span_id: '53995c3f42cd8ad8',
    parent_span_id: '00f067aa0ba902b7',
  },
};

export const receiptTraceOperation = operation({
  method: 'GET',
  path: '/v1/receipts/:receipt_id/trace',
  summary: 'The task receipts of the same trace or session, as a tree',
  access: 'receipts.read',
  answerBytes: limits.traceBytes,
  answers: { 200: receiptTrace },
  refusals: ['receipt_not_found', 'namespace_out_of_scope'],
  documentation: {
    id: 'getReceiptTrace',
    description:
      'The receipts with the same trace_id, or, for a receipt without one, with the same session_id. Each is below the first receipt of its ' +
      'trace whose span_id is its parent_span_id, in the order in which they were recorded. A receipt whose parent is not there is a root, ' +
      'and so is the first receipt of a cycle. At most 1,000 receipts and 8 MiB are shown, the oldest. Another receipt is shown alone.',
    answers: {
      200: {
        body: {
          data: [{ receipt: exampleTask, children: [{ receipt: childOfExample, children: [] }] }],
          truncated: false,
        },
      },
    },
  },
  async handle({ caller, params }, { reading }) {
    const { workspaceId } = caller;
    const row = await visibleReceipt(reading.read, caller, params);
    const { tasks, receipts, truncated } = await reading.read((tx) => readTrace(tx, workspaceId, row));
    const shown = await showReceipts(reading, caller, receipts);
    const spans = new Map(tasks.map((task) => [task.seq, task]));
    const tree = traceTree(shown.map(({ seq }) => spans.get(seq) ?? alone));
    const data = traceParts(tree).map((part) => (typeof part === 'string' ? part : (shown[part]?.json ?? 'null')));
    return { status: 200, body: encoded(['{"data":', ...data, `,"truncated":${truncated}}`]) };
  },
});

const alone: Spanned = { trace_id: null, span_id: null, parent_span_id: null };

interface Trace {
  readonly tasks: readonly TaskView[];
  /** Oldest first. */
  readonly receipts: readonly ListedReceipt[];
  readonly truncated: boolean;
}

async function readTrace(tx: Transaction, workspaceId: string, row: ReceiptView): Promise<Trace> {
  const [task] = row.task_id === null ? [] : await tasksByReceiptId(tx, workspaceId, [row.receipt_id]);
  const found = task ? await relatedTo(tx, workspaceId, task) : [];
  const tasks = found.slice(0, limits.traceReceipts);
  const seqs = tasks.length === 0 ? [row.seq] : tasks.map(({ seq }) => seq);
  const listed = await listedAt(tx, workspaceId, seqs);
  const receipts = listed.filter(withinBytes());
  return { tasks, receipts, truncated: found.length > tasks.length || listed.length > receipts.length };
}

/** The task receipts of the same trace or session, one more than are shown. */
function relatedTo(tx: Transaction, workspaceId: string, task: TaskView): Promise<TaskView[]> {
  const limit = limits.traceReceipts + 1;
  if (task.trace_id !== null) return tasksOfTrace(tx, workspaceId, task.trace_id, limit);
  if (task.session_id !== null) return tasksOfSession(tx, workspaceId, task.session_id, limit);
  return Promise.resolve([task]);
}

/** Whether a receipt and those before it are no longer than a trace that is shown; the first one always is shown. */
function withinBytes() {
  let bytes = 0;
  return ({ size }: ListedReceipt): boolean => {
    const isFirst = bytes === 0;
    bytes += size;
    return isFirst || bytes <= limits.traceBytes;
  };
}
