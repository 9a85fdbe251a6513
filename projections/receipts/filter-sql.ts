import type { Value } from '../../src/database/database.js';
import { isInSession, taskRows } from '../tasks/rows.js';

export interface ReceiptFilter {
  /** Only receipts that concern no other namespaces than these. */
  readonly namespaceIds: readonly string[];
  /** Only receipts of these kinds; null: of every kind. */
  readonly kinds: readonly string[] | null;
  readonly kind?: string | undefined;
  /** The id of an agent. */
  readonly agent?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** The service's id or the client's. */
  readonly receiptId?: string | undefined;
  /** From here on only task receipts. */
  readonly handle?: string | undefined;
  readonly status?: string | undefined;
  readonly session?: string | undefined;
  readonly trace?: string | undefined;
}

/** Positions from `first` up to, but without, `before`; at most `limit` of them. */
interface Place {
  readonly first: number;
  readonly before: number;
  readonly limit: number;
}

/** SQL of the service's id for an id that is the service's, or else the client's. */
export const serviceIdOf = (workspace: string, id: string): string =>
  `coalesce((select receipt_id from receipts where workspace_id = ${workspace} and receipt_id = ${id}),
     (select receipt_id from ${taskRows} where workspace_id = ${workspace} and task_id = ${id} limit 1))`;

/**
 * SQL of the positions of the receipts of a page, in the workspace $1. Each filter has an index that ends with the
 * position, so a page is read from the end of one of them.
 * @param params gets the values of the filter
 */
export function pageOf(filter: ReceiptFilter, place: Place, params: Value[]): string {
  const { handle, status, session, trace } = filter;
  const ofTasks = [handle, status, session, trace].some((value) => value !== undefined);
  return ofTasks ? pageOfTasks(filter, place, params) : pageOfReceipts(filter, place, params);
}

function pageOfReceipts(filter: ReceiptFilter, place: Place, params: Value[]): string {
  const { value, clauses } = conditions(params);
  const sql = [
    'r.workspace_id = $1',
    `r.namespace_ids <@ ${value(filter.namespaceIds)}::uuid[]`,
    ...clauses(filter.kinds, (kinds) => `r.kind = any(${kinds}::text[])`),
    ...clauses(filter.kind, (kind) => `r.kind = ${kind}`),
    ...clauses(filter.receiptId, (id) => `r.receipt_id = ${serviceIdOf('$1', `${id}::text`)}`),
    ...clauses(filter.agent, (agent) => `r.agent_id = ${agent}`),
    ...clauses(filter.since, (since) => `r.recorded_at >= ${since}`),
    ...clauses(filter.until, (until) => `r.recorded_at < ${until}`),
    `r.seq >= ${value(place.first)} and r.seq < ${value(place.before)}`,
  ];
  return `select r.seq from receipts r where ${sql.join(' and ')} order by r.seq desc limit ${value(place.limit)}`;
}

/** Task receipts are of one kind and belong to no namespace. All callers see their kind. */
function pageOfTasks(filter: ReceiptFilter, place: Place, params: Value[]): string {
  const { value, clauses } = conditions(params);
  // A subquery in brackets is not joined, so the page is read from an index of the tasks.
  const ofReceipt = (column: string) => `(select r.${column} from receipts r where r.receipt_id = t.receipt_id)`;
  const sql = [
    't.workspace_id = $1',
    ...clauses(filter.kind, (kind) => `${kind}::text = 'task'`),
    ...clauses(filter.receiptId, (id) => `t.receipt_id = ${serviceIdOf('$1', `${id}::text`)}`),
    ...clauses(filter.session, (session) => isInSession('t', `${session}::text`)),
    ...clauses(filter.trace, (trace) => `t.trace_id = ${trace}`),
    ...clauses(filter.handle, (handle) => `t.agent_handle = ${handle}`),
    ...clauses(filter.status, (status) => `t.status = ${status}`),
    ...clauses(filter.agent, (agent) => `${ofReceipt('agent_id')} = ${agent}`),
    ...clauses(filter.since, (since) => `${ofReceipt('recorded_at')} >= ${since}`),
    ...clauses(filter.until, (until) => `${ofReceipt('recorded_at')} < ${until}`),
    `t.seq >= ${value(place.first)} and t.seq < ${value(place.before)}`,
  ];
  return `select t.seq from ${taskRows} t where ${sql.join(' and ')} order by t.seq desc limit ${value(place.limit)}`;
}

/** Writers of conditions whose values are added to `params`. */
function conditions(params: Value[]) {
  const value = (given: Value): string => `$${params.push(given)}`;
  const clauses = (given: Value | undefined | null, sql: (value: string) => string): string[] =>
    given === undefined || given === null ? [] : [sql(value(given))];
  return { value, clauses };
}
