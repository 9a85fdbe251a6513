import type { Logger } from 'pino';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { countEntries } from '../ledger/entries.js';
import type { Job } from './loop.js';

/** How often to look how long the write-ahead log is, and how often whether there is anything else to do. */
const lookMs = 1000;
const tidyMs = 5000;
/** New entries after which tables are vacuumed: few enough that the pages they have filled are read in milliseconds. */
const vacuumAfter = 5000;
/** How often tables are vacuumed when there are fewer entries: sessions, answers and the like change without any. */
const vacuumEveryMs = 5 * 60_000;
/**
 * Write-ahead log after which a checkpoint ends it. What was changed since the last one is written in one go, for which all
 * others wait: on a machine with five times as much to do as it can, 0.6 to 1.1 s after 32 MiB and 0.2 to 0.5 s after 8.
 */
const checkpointAfter = 8 * 1024 * 1024;
/** The pause after a statement: at least `leastMs`, and `times` the time that the statement took. */
const pause = { leastMs: 50, times: 2 };
/** Between two rounds of forgetting there is this multiple of the time that the first one took. */
const forgetRest = 10;

interface TidyParts {
  readonly database: Database;
  readonly world: World;
  readonly log: Logger;
  /** See `countingWrites`. */
  readonly revision: () => number;
  /** Whether files may hold what was deleted. */
  anythingToForget(): Promise<boolean>;
  /** Makes the files forget it, in small steps with `pause` after each. */
  forget(pause: () => Promise<void>): Promise<void>;
}

/**
 * What the embedded database does not do by itself: it runs no checkpoint, no vacuum and no analyze, and what was deleted lies
 * in its files until they are written. The database does one thing at a time, so each statement here is a small one, and
 * others are let in between. A killed process leaves the forgetting to the next one, which finds it in the table `erased`.
 */
export function tidying(parts: TidyParts): Job {
  const { database, log } = parts;
  const pauses = createPauses(parts.world);
  const tables = createTableCare(parts, pauses);
  const { revision } = parts;
  let tidied = 0;
  /** How much was written when the log was last measured, and when the tables were last looked at. */
  const seen = { log: Number.NaN, all: Number.NaN };
  return {
    name: 'tidying',
    firstMs: lookMs,
    napMs: lookMs,
    async work(stopping) {
      pauses.begin(stopping);
      const written = revision();
      // The first one writes all that making or opening the store has changed: at once, when few requests wait yet.
      if (Number.isNaN(seen.log) || (written !== seen.log && (await bytesOfLog(database)) > checkpointAfter)) {
        await database.maintain('checkpoint');
        await pauses.rest();
      }
      seen.log = written;
      if (pauses.now() < tidied + tidyMs || (written === seen.all && pauses.now() < tables.nextMs())) return false;
      tidied = pauses.now();
      await tables.vacuumAndAnalyze(stopping);
      await tables.forget();
      seen.all = written;
      return false;
    },
    async ended() {
      try {
        if (await parts.anythingToForget()) await parts.forget(async () => undefined);
      } catch (error) {
        log.warn({ err: error }, 'what was deleted is forgotten by the next start');
      }
    },
  };
}

/** The pauses between statements, in which other work has the database. */
function createPauses(world: World) {
  const now = () => world.now().getTime();
  let stepFrom = 0;
  let stopping: AbortSignal | undefined;
  return {
    now,
    begin(signal: AbortSignal) {
      stepFrom = now();
      stopping = signal;
    },
    /** Gives way to other work. When the service stops there is none. */
    async rest() {
      await world.sleep(Math.max(pause.leastMs, pause.times * (now() - stepFrom)), stopping);
      stepFrom = now();
    },
  };
}

/** Looks after the tables as far as there are new entries, or something to forget. */
function createTableCare(parts: TidyParts, { now, rest }: ReturnType<typeof createPauses>) {
  const { database, log } = parts;
  let vacuumed = { entries: 0, at: now() };
  let analyzed = 0;
  let notBefore = 0;
  /** When there will be something to do although nothing is written. */
  const next = { vacuum: Number.POSITIVE_INFINITY, forget: Number.POSITIVE_INFINITY };

  async function eachTable(statement: string, where: string, stopping: AbortSignal): Promise<void> {
    for (const table of await changedTables(database, where)) {
      if (stopping.aborted) return;
      await database.maintain(`${statement} ${table}`);
      await rest();
    }
  }

  return {
    nextMs: () => Math.min(next.vacuum, next.forget),
    async vacuumAndAnalyze(stopping: AbortSignal) {
      const entries = await database.read(countEntries);
      next.vacuum = vacuumed.at + vacuumEveryMs;
      if (entries > vacuumed.entries + vacuumAfter || now() > next.vacuum) {
        await eachTable('vacuum (truncate off)', unvacuumed, stopping);
        await database.maintain('checkpoint');
        vacuumed = { entries, at: now() };
        next.vacuum = Number.POSITIVE_INFINITY;
      }
      // Plans made while a store was small are wrong when it has grown; this makes new ones.
      if (entries > 2 * analyzed) {
        await eachTable('analyze', unanalyzed, stopping);
        analyzed = entries;
      }
    },
    async forget() {
      const from = now();
      next.forget = from < notBefore ? notBefore : Number.POSITIVE_INFINITY;
      if (from < notBefore || !(await parts.anythingToForget())) return;
      await parts.forget(rest);
      notBefore = now() + forgetRest * (now() - from);
      log.info({ ms: now() - from }, 'the files of the database have forgotten what was deleted');
    },
  };
}

/** Of the write-ahead log since the last checkpoint. */
async function bytesOfLog(database: Database): Promise<number> {
  const [row] = await database.read((tx) =>
    tx.query<{ bytes: number }>(
      'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint as bytes from pg_control_checkpoint()',
    ),
  );
  return row?.bytes ?? 0;
}

/** SQL: what the database has counted for a table. After a crash it counts from the start, and then each table is looked after once. */
const unvacuumed = 'last_vacuum is null or n_dead_tup > 0 or n_ins_since_vacuum > 0';
const unanalyzed = 'last_analyze is null or n_mod_since_analyze > 0';

/** The tables of this schema that have changed, those that a replay is building left out. */
async function changedTables(database: Database, where: string): Promise<string[]> {
  // What was counted since the last second is shown after this statement.
  await database.read((tx) => tx.query('select pg_stat_force_next_flush()'));
  const rows = await database.read((tx) =>
    tx.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_stat_user_tables where schemaname = current_schema() and (${where})`,
    ),
  );
  return rows.map(({ name }) => name);
}
