import pg from 'pg';
import { StoreUnavailable } from './database.js';

/**
 * Classes of SQLSTATE that say nothing about the statement and much about the server: its connections (08), its memory,
 * disk and number of clients (53), a stop, a restart or a limit on time (57).
 */
const classes = new Set(['08', '53', '57']);
/** A transaction that lay idle for too long, a deadlock, a lock that nobody gave up, files that cannot be read. */
const codes = new Set(['58000', '58030', '25P03', '40001', '40P01', '55P03']);

/**
 * The error of a driver as callers know it: StoreUnavailable where the engine or the way to it has failed, otherwise the
 * error itself, because then it is ours.
 * @param broken whether the connection is of no more use
 */
export function asUnavailable(error: unknown, broken: boolean): unknown {
  if (error instanceof StoreUnavailable) return error;
  const away = error instanceof pg.DatabaseError ? isOfServer(error.code ?? '') : broken || isSilence(error);
  return away ? new StoreUnavailable(sentenceOf(error), { cause: error }) : error;
}

const isOfServer = (code: string): boolean => classes.has(code.slice(0, 2)) || codes.has(code);

/** The driver's word for a statement that was not answered in time; it then gives the connection up. */
const isSilence = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout';

/** Said of a write by a server that has become a standby: another one is the primary now. */
export const isStandby = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '25006';

export const sentenceOf = (error: unknown): string =>
  `the database does not answer: ${error instanceof Error && error.message !== '' ? error.message : String(error)}`;
