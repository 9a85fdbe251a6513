import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type OpenedDatabase, StoreFull, StoreUnavailable, UnfitDatabase } from '../database/database.js';
import { DirectoryInUse } from '../database/directory-lock.js';
import { MigrationError } from '../database/migrate.js';
import { UnusableDirectory } from '../database/private-directory.js';
import { serverAddress, shownServer } from '../database/server-address.js';
import { UnfinishedCopy } from '../database/unfinished-copy.js';
import { WrongLedger } from '../ledger/eventstore/require-home.js';
import { type Config, WrongSetting } from '../settings/config.js';
import { RefusesToSign } from '../tlog/signer.js';
import { openStore } from '../wiring/start/store.js';

/** Thrown when a command cannot begin. The message says for the user why, and what to do. */
export class CannotStart extends Error {
  override name = 'CannotStart';
}

/** A server that does not answer now, and may do so soon. */
class ServerAway extends CannotStart {}

/** Whether the message of an error is a sentence for the user of the command. Any other error is a fault of the program. */
export function isSentence(error: unknown): error is Error {
  const kinds = [
    CannotStart,
    WrongSetting,
    DirectoryInUse,
    UnusableDirectory,
    MigrationError,
    UnfitDatabase,
    UnfinishedCopy,
    RefusesToSign,
    WrongLedger,
    StoreFull,
  ];
  return kinds.some((kind) => error instanceof kind);
}

/** Opens the store of the settings. @throws an error that `isSentence` */
export function openStoreOf(config: Config): Promise<OpenedDatabase> {
  return explained(config, 'DATABASE_URL', () => openStore(config));
}

/** How long a start waits for a server that does not answer yet, as after a restart of the machine, and between two attempts. */
const serverWaitMs = 60_000;
const serverPauseMs = 1000;

/**
 * The same for a service, which waits for a server that is away. Nothing was changed there before it answers.
 * @param say shows a line to the operator
 */
export async function openStoreWhenThere(config: Config, say: (line: string) => void): Promise<OpenedDatabase> {
  const until = performance.now() + serverWaitMs;
  for (let attempts = 0; ; attempts += 1) {
    try {
      return await openStoreOf(config);
    } catch (error) {
      if (!(error instanceof ServerAway) || performance.now() > until) throw error;
      if (attempts === 0) say(`counterfoil: ${error.message} Waiting for up to ${serverWaitMs / 1000} s.`);
      await pause(serverPauseMs);
    }
  }
}

/**
 * Opens a store, or explains why it cannot be opened.
 * @param given the name of the setting or option with the server's address
 * @throws an error that `isSentence`
 */
export async function explained<T>(config: Config, given: string, open: () => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined) requireWholeStore(config);
  try {
    return await open();
  } catch (error) {
    if (isSentence(error)) throw error;
    if (databaseUrl === undefined) throw new CannotStart(whyNotEmbedded(error, dataDir));
    const Fault = away.includes(codeOf(error)) ? ServerAway : CannotStart;
    throw new Fault(whyNotServer(error, databaseUrl, given));
  }
}

/** Without this file the database would treat the directory as new and initialize it over the remaining files. */
function requireWholeStore({ dataDir }: Config): void {
  const store = join(dataDir, 'pgdata');
  if (!existsSync(store) || isFileThere(join(store, 'PG_VERSION'), dataDir)) return;
  throw new CannotStart(
    `The store in ${dataDir} cannot be opened: ${store} has no PG_VERSION, so files of it are missing. ` +
      'Nothing was changed. Replace DATA_DIR by a backup.',
  );
}

/** @throws CannotStart for a directory that this user may not open, as after a restore by an administrator */
function isFileThere(path: string, dataDir: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error;
    throw new CannotStart(
      `The store in ${dataDir} cannot be opened: it belongs to another user. Nothing was changed. ` +
        `Give it to the user of the service: chown -R USER ${dataDir}`,
    );
  }
}

/** The reason why the service cannot listen at HOST and PORT. */
export function whyNotListening(error: unknown, { host, port }: Config): CannotStart {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new CannotStart(`Port ${port} of ${host} is in use by another program. Stop that one, or set PORT.`);
    case 'EACCES':
      return new CannotStart(`This user may not listen on port ${port}. Set PORT to a number above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CannotStart(`HOST is wrong: this machine has no address ${host}.`);
    default:
      return new CannotStart(`It cannot listen on port ${port} of ${host}: ${messageOf(error)}.`);
  }
}

function whyNotEmbedded(error: unknown, dataDir: string): string {
  return (
    `The store in ${dataDir} cannot be opened: ${messageOf(error)}. Nothing was changed. ` +
    'If a disk is full, make room; if the store is damaged, replace DATA_DIR by a backup.'
  );
}

/** Codes of a server that does not answer: of the system, and of PostgreSQL while it starts or ends (57P03). */
const away = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ENOENT',
  '57P03',
];

function whyNotServer(error: unknown, databaseUrl: string, given: string): string {
  // The address itself is never shown, because it contains a password.
  const { server: place, user, database } = shownServer(serverAddress(databaseUrl));
  const server = `The PostgreSQL server ${place}`;
  const code = codeOf(error);
  if (away.includes(code)) return `${server} cannot be reached (${code}). Start it, or correct ${given}.`;
  switch (code) {
    case '28000':
    case '28P01':
      return `${server} refuses the user ${user}: ${messageOf(error)}. Correct ${given}.`;
    case '3D000':
      return `${server} has no database ${database}. Create it, or correct ${given}.`;
    case '0A000':
    case '58P01':
    case '42704':
      return `${server} has no pgvector: ${messageOf(error)}. Install the extension "vector" there.`;
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return `${server} has a certificate of an authority that is not known here: ${messageOf(error)}. Name the file of the authority in ${given} with sslrootcert.`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `${server} has a certificate for another name: ${messageOf(error)}. Use that name in ${given}, or sslmode=verify-ca.`;
    case '42501':
      return `The user ${user} may not do what a start needs: ${messageOf(error)}. Grant it, or let an administrator of the database run: create extension vector`;
    default:
      return `The store in ${server.replace(/^The /, 'the ')} cannot be opened: ${messageOf(error)}.`;
  }
}

/** The code of the operating system or of PostgreSQL. A name with several addresses fails with an error for each of them. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && !('code' in error)) return codeOf(error.errors[0]);
  if (error instanceof StoreUnavailable && error.cause !== undefined) return codeOf(error.cause);
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
}

/** The first line of the message, without a full stop, short enough for a sentence. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? '').slice(0, 300).replace(/\.$/, '') || 'no reason was given';
}
