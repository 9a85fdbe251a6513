import type pg from 'pg';

/** Time limits of the server in milliseconds; 0 means no limit. */
export interface SessionLimits {
  readonly statement: number;
  readonly lock: number;
  readonly idle: number;
}

/**
 * The settings on which statements and their answers depend. An administrator may have given the database or the role other values,
 * and then a date is read wrong, a statement finds other rows, or every write is refused.
 */
const fixed: Readonly<Record<string, string>> = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  timezone_abbreviations: 'Default',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  quote_all_identifiers: 'off',
  xmloption: 'content',
  row_security: 'on',
  gin_fuzzy_search_limit: '0',
  default_text_search_config: 'pg_catalog.simple',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  jit: 'off',
  // The pool closes idle connections, and transactions have the limits of their pool.
  idle_session_timeout: '0',
  transaction_timeout: '0',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25000',
};

/** The state of a server and of a role at the time of a connection. */
export interface SessionFacts {
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly session_replication_role: string;
  /** The first schema of the role's search path; null where it has none. */
  readonly own_schema: string | null;
  /** The schema that the connection uses: the one with the tables of a store, otherwise that of the role. */
  readonly schema: string | null;
}

/** A statement with a time limit of its own, which the driver has and its types do not. */
interface TimedQuery extends pg.QueryConfig {
  readonly query_timeout: number;
}

/** How long the server may take for the settings. */
const query_timeout = 5000;

/**
 * One statement: a setting that an older server does not know is left out. The search path has the schema of the store and that of
 * pgvector. A commit that does not wait for the disk is never accepted, and one that waits for a standby stays as it is.
 */
const setEverything = `
  with role as materialized (select current_schema() as own),
  stores as materialized (
    select n.nspname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relname = 'migrations' and c.relkind = 'r' and has_schema_privilege(n.oid, 'usage')
       and exists (select 1 from pg_class v where v.relnamespace = n.oid and v.relname = 'vault')),
  home as materialized (
    select own, case when own in (select name from stores) or (select count(*) from stores) <> 1 then own
                     else (select name from stores) end as name from role),
  done as materialized (
    select count(set_config(w.name, w.value, false)) as settings,
           max(set_config('synchronous_commit',
             case when current_setting('synchronous_commit') in ('off', 'local') then 'on' else current_setting('synchronous_commit') end,
             false)) as durable
      from unnest($1::text[], $2::text[]) w(name, value) where current_setting(w.name, true) is not null)
  select own as own_schema, name as schema, settings,
         set_config('search_path', coalesce(quote_ident(name) || coalesce(', ' || (
           select quote_ident(n.nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace
            where e.extname = 'vector' and n.nspname <> home.name), ''), current_setting('search_path')), false),
         current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
         current_setting('session_replication_role') as session_replication_role
    from home cross join done`;

/**
 * Sets up a new connection by statements, because PgBouncer refuses settings that come with its start.
 * @throws the driver's error
 */
export async function setUpSession(
  client: pg.ClientBase,
  { statement, lock, idle }: SessionLimits,
): Promise<SessionFacts> {
  const settings: Readonly<Record<string, string>> = {
    ...fixed,
    lock_timeout: String(lock),
    idle_in_transaction_session_timeout: String(idle),
    statement_timeout: String(statement),
  };
  // A limit of the role would hold for the statement that replaces it.
  const unlimited: TimedQuery = { text: 'set statement_timeout = 0', query_timeout };
  const values = [Object.keys(settings), Object.values(settings)];
  const everything: TimedQuery = { text: setEverything, values, query_timeout };
  const [, { rows }] = await Promise.all([client.query(unlimited), client.query<SessionFacts>(everything)]);
  const [facts] = rows;
  if (!facts) throw new Error('the server has not set up the connection');
  return facts;
}
