import type { Value } from '../../src/database/database.js';
import { entryRows } from '../../src/ledger/rows.js';
import { isInSession, taskOf, taskRows } from '../tasks/rows.js';
import { firstNamespace, hasText } from './rows.js';

export interface ReceiptFilter {
  /** Only receipts that concern no other namespaces than these; null: of all namespaces. */
  readonly namespaceIds: readonly string[] | null;
  /** Only receipts of kinds that the caller may see; null: of every kind. */
  readonly visible: readonly string[] | null;
  /** Only receipts of these kinds. */
  readonly kinds?: readonly string[] | undefined;
  /** Only receipts that concern this namespace. */
  readonly namespaceId?: string | undefined;
  /** Only receipts about this memory, also after its deletion. */
  readonly memoryId?: string | undefined;
  /** The id of the key, the person or the grant that the receipt is of. */
  readonly actor?: string | undefined;
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

/** Positions from `first` up to, but without, `before`; at most `limit` of them, the last ones or the first ones. */
export interface Place {
  readonly first: number;
  readonly before: number;
  readonly limit: number;
  readonly oldestFirst?: boolean;
}

/** SQL of the position of the receipt with an id that is the service's, or else the client's. */
export const positionOf = (workspace: string, id: string): string =>
  `coalesce((select seq from ${entryRows} where chain = ${workspace} and receipt_id = ${id}),
     (select seq from ${taskOf(workspace, id)} t limit 1))`;

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
  const { kinds } = filter;
  const limit = value(place.limit);
  const [kind, ...others] = kinds ?? [];
  const several = others.length > 0;
  const ofKind = (one: string) => hasText('r', 'kind', '$1', `${one}::text`);
  const sql = [
    'r.workspace_id = $1',
    ...clauses(filter.namespaceIds, (ids) => `r.namespace_ids <@ ${ids}::uuid[]`),
    ...clauses(filter.visible, (visible) => `r.kind = any(${visible}::text[])`),
    ...(several ? [ofKind('k.kind')] : clauses(kind, ofKind)),
    ...clauses(filter.memoryId, (id) => `r.memory_id = ${id}::uuid`),
    ...clauses(filter.actor, (actor) => hasText('r', 'actor_id', '$1', `${actor}::text`)),
    ...clauses(filter.receiptId, (id) => `r.seq = ${positionOf('$1', `${id}::text`)}`),
    ...clauses(filter.agent, (agent) => hasText('r', 'agent_id', '$1', `${agent}::text`)),
    ...clauses(filter.since, (since) => `r.recorded_at >= ${since}`),
    ...clauses(filter.until, (until) => `r.recorded_at < ${until}`),
    `r.seq >= ${value(place.first)} and r.seq < ${value(place.before)}`,
  ];
  const from = (rows: string, ...more: string[]) =>
    `select r.seq from ${rows} where ${[...sql, ...more].join(' and ')} ${orderOf('r', place)} limit ${limit}`;
  const [page = from('receipts r')] = clauses(filter.namespaceId, (id) => {
    const first = from('receipts r', `r.${firstNamespace} = ${id}::uuid`);
    const further = from(
      'receipts r join receipt_namespaces n on n.workspace_id = r.workspace_id and n.seq = r.seq',
      `n.namespace_id = ${id}::uuid`,
    );
    return `select r.seq from ((${first}) union all (${further})) r ${orderOf('r', place)} limit ${limit}`;
  });
  if (!several) return page;
  // The kinds of an index are in its order, and the positions within each of them only: so each kind is read by itself.
  const each = `unnest(${value(kinds ?? [])}::text[]) as k(kind) cross join lateral (${page}) one`;
  return `select one.seq from ${each} ${orderOf('one', place)} limit ${limit}`;
}

const orderOf = (table: string, { oldestFirst = false }: Place): string =>
  `order by ${table}.seq${oldestFirst ? '' : ' desc'}`;

/** Task receipts are of one kind, belong to no namespace and are about no memory. All callers see their kind. */
function pageOfTasks(filter: ReceiptFilter, place: Place, params: Value[]): string {
  const { value, clauses } = conditions(params);
  // A subquery in brackets is not joined, so the page is read from an index of the tasks.
  const ofReceipt = (column: string) =>
    `(select r.${column} from receipts r where r.workspace_id = t.workspace_id and r.seq = t.seq)`;
  const sql = [
    't.workspace_id = $1',
    ...clauses(filter.kinds, (kinds) => `'task' = any(${kinds}::text[])`),
    ...(filter.namespaceId === undefined && filter.memoryId === undefined ? [] : ['false']),
    ...clauses(
      filter.receiptId,
      (id) =>
        `t.receipt_id = (select receipt_id from receipts where workspace_id = $1 and seq = ${positionOf('$1', `${id}::text`)})`,
    ),
    ...clauses(filter.session, (session) => isInSession('t', `${session}::text`)),
    ...clauses(filter.trace, (trace) => `t.trace_id = ${trace}`),
    ...clauses(filter.handle, (handle) => `t.agent_handle = ${handle}`),
    ...clauses(filter.status, (status) => `t.status = ${status}`),
    ...clauses(filter.actor, (actor) => `${ofReceipt('actor_id')} = ${actor}`),
    ...clauses(filter.agent, (agent) => `${ofReceipt('agent_id')} = ${agent}`),
    ...clauses(filter.since, (since) => `${ofReceipt('recorded_at')} >= ${since}`),
    ...clauses(filter.until, (until) => `${ofReceipt('recorded_at')} < ${until}`),
    `t.seq >= ${value(place.first)} and t.seq < ${value(place.before)}`,
  ];
  return `select t.seq from ${taskRows} t where ${sql.join(' and ')} ${orderOf('t', place)} limit ${value(place.limit)}`;
}

/** Writers of conditions whose values are added to `params`. */
function conditions(params: Value[]) {
  const value = (given: Value): string => `$${params.push(given)}`;
  const clauses = (given: Value | undefined | null, sql: (value: string) => string): string[] =>
    given === undefined || given === null ? [] : [sql(value(given))];
  return { value, clauses };
}
