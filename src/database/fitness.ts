import pg from 'pg';
import { UnfitDatabase } from './database.js';
import { type SessionFacts, type SessionLimits, setUpSession } from './session.js';

/** @throws UnfitDatabase when the server does not keep what it has committed, as after a failover to another one */
export function requireDurable(facts: SessionFacts): void {
  const off = (['fsync', 'full_page_writes'] as const).find((name) => facts[name] === 'off');
  if (off !== undefined) {
    throw new UnfitDatabase(
      `The PostgreSQL server has ${off} = off, so a crash of its machine may lose or damage what was acknowledged. Run there: ` +
        `alter system set ${off} = on; select pg_reload_conf()`,
    );
  }
  if (facts.session_replication_role !== 'origin') {
    throw new UnfitDatabase(
      'The role of DATABASE_URL has session_replication_role set, so that references between tables are not checked. ' +
        'Run: alter role … reset session_replication_role',
    );
  }
}

/** The facts about a database on which it depends whether texts are kept and found. */
interface DatabaseFacts {
  readonly database: string;
  readonly role: string;
  readonly encoding: string;
  readonly ctype: string;
  /** The schema of pgvector; null where the extension was not created. */
  readonly vector_schema: string | null;
  readonly sees_vector: boolean;
  readonly may_create_vector: boolean | null;
}

const readFacts = `
  select current_database()::text as database, quote_ident(current_user) as role, current_setting('server_encoding') as encoding,
         (select datctype::text from pg_database where datname = current_database()) as ctype,
         v.name as vector_schema, coalesce(v.is_seen, false) as sees_vector,
         (select bool_or((select rolsuper from pg_roles where rolname = current_user) or not a.superuser
                         or (a.trusted and has_database_privilege(current_database(), 'create')))
            from pg_available_extension_versions a where a.name = 'vector') as may_create_vector
    from (select 1) one left join (
      select quote_ident(n.nspname) as name, has_schema_privilege(n.oid, 'usage') as is_seen
        from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector') v on true`;

/**
 * Whether capitals outside of ASCII are found by small letters, and an I by an i; and the hash of a text. It depends on the order of bytes
 * of the server's processor. The service computes it too (`text-hash.ts`), and where the two differ no search would find a word.
 */
const readLetters = `select lower($1) = $2 and to_tsvector('pg_catalog.simple', $1) = to_tsvector('pg_catalog.simple', $2) as folds,
  hashtextextended($2, 1)::text as hash`;
const letters = { capital: 'ÄRGER ΩМ INDEX', small: 'ärger ωм index', hash: '73711958618688642' };

/**
 * Looks at the database before anything is written to it.
 * @throws UnfitDatabase, or the driver's error when the server cannot be reached
 */
export async function requireFit(connection: pg.ClientConfig, limits: SessionLimits): Promise<void> {
  const client = new pg.Client(connection);
  // A connection that breaks fails the statement too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const session = await setUpSession(client, limits);
    requireDurable(session);
    const {
      rows: [facts],
    } = await client.query<DatabaseFacts>(readFacts);
    if (!facts) throw new Error('the server does not describe the database');
    requireSchema(session, facts);
    if (facts.encoding !== 'UTF8') {
      throw new UnfitDatabase(
        `The database ${facts.database} has the encoding ${facts.encoding}, which cannot hold every text. ${another}`,
      );
    }
    const {
      rows: [read],
    } = await client.query<{ folds: boolean; hash: string }>(readLetters, [letters.capital, letters.small]);
    if (!read?.folds) {
      throw new UnfitDatabase(
        `The database ${facts.database} has the character type ${facts.ctype}, with which capital and small letters are not found by each other. ${another}`,
      );
    }
    requireHash(read.hash);
    requireVector(facts);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const another =
  'Nothing was changed. Make another database, and set DATABASE_URL to it: ' +
  "create database counterfoil template template0 encoding 'UTF8' locale 'C.UTF-8'";

function requireSchema({ own_schema: own, schema }: SessionFacts, { database, role }: DatabaseFacts): void {
  if (own === null) {
    throw new UnfitDatabase(
      `The search_path of ${role} leads to no schema of the database ${database}. Nothing was changed. ` +
        `Run: alter role ${role} in database ${database} set search_path = public`,
    );
  }
  if (own !== schema) {
    throw new UnfitDatabase(
      `The store of the database ${database} is in the schema ${schema}, and the search_path of ${role} leads to ${own}. ` +
        `Nothing was changed. Run: alter role ${role} in database ${database} set search_path = ${schema}`,
    );
  }
}

/** @param hash of the small letters @throws UnfitDatabase */
export function requireHash(hash: string): void {
  if (hash === letters.hash) return;
  throw new UnfitDatabase(
    'The PostgreSQL server hashes texts in another way than this version expects, so searches would find nothing. Nothing was changed. ' +
      'Use a server whose processor is little-endian, such as x86-64 or ARM.',
  );
}

function requireVector(facts: DatabaseFacts): void {
  const { vector_schema: schema, sees_vector: sees, may_create_vector: may, role, database } = facts;
  if (schema !== null && !sees) {
    throw new UnfitDatabase(
      `pgvector is in the schema ${schema}, which ${role} may not use. Nothing was changed. Run: grant usage on schema ${schema} to ${role}`,
    );
  }
  if (schema !== null) return;
  if (may === null) {
    throw new UnfitDatabase(
      'The PostgreSQL server has no pgvector. Nothing was changed. Install the extension "vector" there.',
    );
  }
  if (!may) {
    throw new UnfitDatabase(
      `${role} may not create the extension pgvector. Nothing was changed. Let an administrator run in the database ${database}: create extension vector`,
    );
  }
}
