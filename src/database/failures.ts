import pg from 'pg';
import { StoreBusy, StoreUnavailable } from './database.js';

/**
 * Classes of SQLSTATE for failures of the server and not of the statement: connections (08), memory, disk and number of
 * clients (53), a stop, a restart or a time limit (57).
 */
const classes = new Set(['08', '53', '57']);
/** A transaction that was idle for too long, files that cannot be read or are not there. */
const codes = new Set(['58000', '58030', '58P01', '25P03']);
/** A lost race: a serialization failure, a deadlock, a lock that was not released in time. */
const races = new Set(['40001', '40P01', '55P03']);

/**
 * Converts the error of a driver: to StoreUnavailable if the engine or the connection has failed. Other errors are
 * returned without the values of rows, because they are caused by our own statements.
 * @param broken whether the connection cannot be used any more
 */
export function asUnavailable(error: unknown, broken: boolean): unknown {
  if (error instanceof StoreUnavailable) return error;
  if (error instanceof pg.DatabaseError) forgetValues(error);
  if (error instanceof pg.DatabaseError && races.has(error.code ?? ''))
    return new StoreBusy(sentenceOf(error), { cause: error });
  const away = error instanceof pg.DatabaseError ? isOfServer(error.code ?? '') : broken || isSilence(error);
  return away ? new StoreUnavailable(sentenceOf(error), { cause: error }) : error;
}

/** PostgreSQL quotes the row that breaks a constraint. Its values are those of callers, and errors are logged. */
function forgetValues(error: pg.DatabaseError): void {
  error.detail = undefined;
  error.where = undefined;
}

const isOfServer = (code: string): boolean => classes.has(code.slice(0, 2)) || codes.has(code);

/** The driver's message for a statement that was not answered in time. The driver then closes the connection. */
const isSilence = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout';

/** The error for a write on a server that has become a standby. Another server is the primary now. */
export const isStandby = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '25006';

export const sentenceOf = (error: unknown): string =>
  `the database does not answer: ${error instanceof Error && error.message !== '' ? error.message : String(error)}`;
