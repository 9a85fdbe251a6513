import type { Database } from '../../database/database.js';
import { applyOnce } from '../apply.js';
import { entryHash, type Head } from '../chain.js';
import { hasEntry, lockHead, readHead } from '../entries.js';
import { begin, type CatchUpParts, catchUp, ForkedStream, findHead, resolvePending } from '../eventstore/catch-up.js';
import { eventsOf, genesisEvent, streamOf } from '../eventstore/events.js';
import { inspect } from '../eventstore/faults.js';
import { dropApplied, endOf, placeOf, stage } from '../eventstore/pending.js';
import { AppendTooLarge, type NewEvent, StreamsUnavailable } from '../eventstore/streams.js';
import { createNotifier } from '../growth.js';
import {
  type Appended,
  ChainHalted,
  type Commit,
  type IsLate,
  type Ledger,
  linkedOf,
  NotAppended,
  requireEntrySizes,
} from '../ledger.js';
import { holdSettled, isSettled } from '../settled.js';
import { appendToTables } from './database.js';

/** An append of which it is known where it belongs. */
interface Append {
  readonly chain: string;
  readonly expected: Head;
  readonly commits: readonly Commit[];
  readonly events: readonly NewEvent[];
}

/**
 * The ledger in EventStoreDB, one stream for each chain, with the revision as seq. An append has three steps: it is staged in the
 * database with its deposits and answers, its entries are appended to the stream behind the expected revision, which is the commit, and
 * it is applied to the tables, which removes the staged row.
 */
export function eventStoreLedger(parts: CatchUpParts): Ledger {
  const { database, project, streams, prefix } = parts;
  const { grew, follow } = createNotifier();
  const guard = createGuard(parts);

  async function applied({ chain, expected, commits }: Append): Promise<Appended> {
    const end = endOf(commits);
    const outcome = await applyOnce(database, project, chain, expected, commits, {
      besides: (tx) => dropApplied(tx, chain, [end.hash]),
    });
    return outcome.outcome === 'appended' ? outcome : await outcomeOf(chain, end);
  }

  /** The outcome of an append, when the tables are up to date with the stream. */
  async function outcomeOf(chain: string, end: Head): Promise<Appended> {
    await resolvePending(parts, chain);
    return database.transaction(async (tx) => {
      const head = await lockHead(tx, chain);
      return (await hasEntry(tx, chain, end)) ? { outcome: 'appended' } : { outcome: 'conflict', head };
    });
  }

  /** The server says that the stream does not end at the expected revision. */
  async function refused({ chain, expected, commits }: Append): Promise<Appended> {
    const name = streamOf(prefix, chain);
    const [next] = await streams.read(name, expected.seq + 1, 1);
    if (!next) throw new ForkedStream(`the stream ${name} ends before entry ${expected.seq} of the database`);
    return outcomeOf(chain, endOf(commits));
  }

  return {
    async begin(chain, genesis, tagKey) {
      if (await database.read((tx) => findHead(tx, chain))) return;
      await streams.append(streamOf(prefix, chain), null, [genesisEvent(genesis, tagKey)]);
      await begin(parts, chain);
      await catchUp(parts, chain);
    },
    async append(chain, expected, commits, isLate = () => false) {
      requireEntrySizes(commits);
      const appended =
        linkedOf(commits).length === 0
          ? await appendToTables(database, project, chain, expected, commits, isLate)
          : await appendToStream({ chain, expected, commits, events: eventsOf(commits) }, isLate);
      if (appended.outcome === 'appended') grew(chain);
      return appended;
    },
    async read(chain, afterSeq, limit) {
      const links = [];
      while (links.length < limit) {
        const page = await streams.read(streamOf(prefix, chain), afterSeq + 1 + links.length, limit - links.length);
        if (page.length === 0) break;
        links.push(...page.map(({ revision, data }) => ({ seq: revision, bytes: data, hash: entryHash(data) })));
      }
      return links;
    },
    follow,
  };

  async function appendToStream(append: Append, isLate: IsLate): Promise<Appended> {
    await guard.requireStream(append.chain);
    const staged = await stageAppend(database, append, isLate);
    if (staged !== 'staged') return staged;
    try {
      const outcome = await streams.append(streamOf(prefix, append.chain), append.expected.seq, append.events);
      return outcome === 'appended' ? await applied(append) : await refused(append);
    } catch (error) {
      if (error instanceof AppendTooLarge) throw new NotAppended('EventStoreDB refuses the append', { cause: error });
      if (error instanceof StreamsUnavailable) await guard.requireNoFault(append.chain);
      throw error;
    }
  }
}

/** The comparison of streams around appends. */
function createGuard(parts: CatchUpParts) {
  const { streams } = parts;
  /** The chains whose streams were compared since the connection was lost the last time. A start compares all of them. */
  const compared = new Set<string>();
  let losses = 0;
  const isCompared = (chain: string): boolean =>
    streams.losses() === 0 || (streams.losses() === losses && compared.has(chain));
  return {
    /**
     * After the connection was lost, the stream is compared before anything is appended to it: another server may answer now, or
     * older streams, which would take an append behind another entry. While nothing answers, an append is refused before it is
     * staged, so that its outcome is known.
     */
    async requireStream(chain: string): Promise<void> {
      if (streams.isUp() && isCompared(chain)) return;
      const before = streams.losses();
      let fault: string | null;
      try {
        fault = await inspect(parts, chain);
      } catch (error) {
        throw new NotAppended('EventStoreDB does not answer', { cause: error });
      }
      if (fault !== null) throw new NotAppended('the chain is halted', { cause: new ChainHalted(fault) });
      if (losses !== before) compared.clear();
      losses = before;
      compared.add(chain);
    },

    /** The outcome of an append is unknown. When its stream shows why, its callers need not wait any longer. */
    async requireNoFault(chain: string): Promise<void> {
      const fault = await inspect(parts, chain).catch(() => null);
      if (fault !== null) throw new ChainHalted(fault);
    },
  };
}

/**
 * Stages an append, unless it is known what becomes of it. What was staged by an earlier call may be committed by now, and is
 * therefore never late.
 */
async function stageAppend(
  database: Database,
  { chain, expected, commits }: Append,
  isLate: IsLate,
): Promise<Appended | 'staged'> {
  const end = endOf(commits);
  let inDoubt = false;
  try {
    return await database.transaction(async (tx) => {
      // Sent with the statement after it, which fails with it.
      holdSettled(tx).catch(() => undefined);
      const place = await placeOf(tx, chain, end);
      if (place.isApplied) return { outcome: 'appended' };
      if (place.halted !== null) {
        const halted = new ChainHalted(place.halted);
        throw place.isPending ? halted : new NotAppended('the chain is halted', { cause: halted });
      }
      if (place.isPending) return 'staged';
      if (place.headSeq !== expected.seq || place.headHash !== expected.hash)
        return { outcome: 'conflict', head: await readHead(tx, chain) };
      if (isSettled(commits, place.settledMs)) return { outcome: 'late', settledMs: place.settledMs };
      if (isLate()) return { outcome: 'late' };
      await stage(tx, chain, expected, commits);
      inDoubt = true;
      return 'staged';
    });
  } catch (error) {
    if (inDoubt || error instanceof ChainHalted || error instanceof NotAppended) throw error;
    throw new NotAppended('the append failed before it was staged', { cause: error });
  }
}
