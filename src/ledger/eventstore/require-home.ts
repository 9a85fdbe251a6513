import type { Database } from '../../database/database.js';
import { chainIds } from '../entries.js';
import { type CatchUpParts, catchUp, catchUpAfter, ForkedStream, findHead } from './catch-up.js';
import { streamOf } from './events.js';
import { endFault } from './faults.js';
import { resumeAll } from './halts.js';
import { readHome } from './home.js';
import { knownPosition, writePosition } from './position.js';
import { removalFault } from './removal.js';
import { StreamsRefused, StreamsUnavailable } from './streams.js';

/** The settings name another ledger than the one of this store, or it cannot be used. The message is a sentence that says what to do. */
export class WrongLedger extends Error {
  override name = 'WrongLedger';
}

/** Streams that are compared with the tables at the same time. */
const atOnce = 16;
/** Tries at a start, because a cluster that elects a leader refuses for a moment. */
const mostTries = 4;
const pauseMs = 500;

/** @throws WrongLedger when the ledger of this store is in EventStoreDB */
export async function requireDatabaseHome(database: Database): Promise<void> {
  if ((await database.read(readHome)) === null) return;
  throw new WrongLedger(
    'The ledger of this store is in EventStoreDB, and EVENTSTORE_URL is not set: set it, or move the ledger with counterfoil migrate-ledger.',
  );
}

/**
 * Makes sure that the streams are those of this store and continue what its tables hold, and brings the tables up to date.
 * @throws WrongLedger
 */
export async function requireStreamHome(parts: CatchUpParts): Promise<void> {
  const { database, prefix } = parts;
  const home = await database.read(readHome);
  const chains = await database.read(chainIds);
  if (home === null && chains.length > 0) {
    throw new WrongLedger(
      'The ledger of this store is in its database, and EVENTSTORE_URL is set: unset it, or move the ledger with counterfoil migrate-ledger.',
    );
  }
  if (home !== null && home.prefix !== prefix) {
    throw new WrongLedger(
      `The ledger of this store is in streams with the prefix ${home.prefix}, and EVENTSTORE_PREFIX is ${prefix}: correct it, or move the ledger with counterfoil migrate-ledger.`,
    );
  }
  for (let tries = 1; ; tries += 1) {
    try {
      return await compareAll(parts, chains);
    } catch (error) {
      const isPassing = error instanceof StreamsUnavailable && !(error instanceof StreamsRefused);
      if (error instanceof ForkedStream || !isPassing || tries === mostTries) throw sentenceOf(error);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

async function compareAll(parts: CatchUpParts, chains: readonly string[]): Promise<void> {
  const left = [...chains];
  const one = async () => {
    for (let chain = left.pop(); chain !== undefined; chain = left.pop()) await compare(parts, chain);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const before = await knownPosition(parts.database, parts.streams);
  const position = await catchUpAfter(parts, before, async (chain) => {
    await requireNoRemoval(parts, chain);
    await catchUp(parts, chain);
  });
  await parts.database.transaction(async (tx) => {
    if (position) await writePosition(tx, position);
    await resumeAll(tx);
  });
}

async function compare(parts: CatchUpParts, chain: string): Promise<void> {
  const { database, streams, prefix } = parts;
  const name = streamOf(prefix, chain);
  const head = await database.read((tx) => findHead(tx, chain));
  if (!head) return;
  await requireNoRemoval(parts, chain);
  const { fault, next } = await endFault(streams, name, head);
  if (fault === null) {
    if (next) await catchUp(parts, chain);
    return;
  }
  const found = {
    missing: 'is missing on the cluster that EVENTSTORE_URL names',
    'ends before': `ends before entry ${head.seq} of the database`,
    'other entry': `has another entry ${head.seq} than the database`,
  };
  throw new WrongLedger(`The stream ${name} ${found[fault]}: ${remedy}`);
}

const remedy =
  'correct EVENTSTORE_URL, restore the streams to their newest state, or move the ledger with counterfoil migrate-ledger.';

/** @throws WrongLedger for a stream that loses entries, or has lost some */
async function requireNoRemoval({ streams, prefix }: CatchUpParts, chain: string): Promise<void> {
  const fault = await removalFault(streams, prefix, chain);
  if (fault !== null) throw new WrongLedger(fault);
}

function sentenceOf(error: unknown): unknown {
  if (error instanceof StreamsRefused) {
    return new WrongLedger(
      'EventStoreDB refuses the credentials of EVENTSTORE_URL, or their rights: correct the password, or give the user the right to read $all and to read and append to the streams of the prefix.',
    );
  }
  if (error instanceof ForkedStream) return new WrongLedger(`${capital(error.message)}; ${remedy}`);
  if (error instanceof StreamsUnavailable) {
    const [, certificate] = /Last error: (?:Error: )?([^.]*certificate[^.]*)/i.exec(error.message) ?? [];
    if (certificate !== undefined) {
      return new WrongLedger(
        `The certificate of EventStoreDB is not accepted (${certificate}): renew it there, or set tlsCAFile and the address of EVENTSTORE_URL to its authority and its name.`,
      );
    }
    return new WrongLedger(`${error.message.replace(/\.$/, '')}; start EventStoreDB, or correct EVENTSTORE_URL.`);
  }
  return error;
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
