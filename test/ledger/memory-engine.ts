import type { Database } from '../../src/database/database.js';
import { applyOnce, type Project } from '../../src/ledger/apply.js';
import type { Head, StoredLink } from '../../src/ledger/chain.js';
import { entryHash } from '../../src/ledger/chain.js';
import { insertChain, readHead } from '../../src/ledger/entries.js';
import { createNotifier } from '../../src/ledger/growth.js';
import {
  type Appended,
  type Commit,
  type IsLate,
  type Ledger,
  NotAppended,
  requireEntrySizes,
} from '../../src/ledger/ledger.js';
import { holdSettled, isSettled, readSettled } from '../../src/ledger/settled.js';

type Late = Extract<Appended, { outcome: 'late' }>;

interface Stream {
  readonly genesis: Uint8Array;
  readonly tagKey: Uint8Array;
  readonly links: StoredLink[];
}

/** An append before it is applied: what an engine elsewhere keeps in a table of the database. */
interface Staged {
  readonly chain: string;
  readonly expected: Head;
  readonly commits: readonly Commit[];
}

/** The log of an engine elsewhere and its staged rows. It outlives the processes that write to it. */
export interface Streams {
  readonly chains: Map<string, Stream>;
  readonly staged: Set<Staged>;
}

export const newStreams = (): Streams => ({ chains: new Map(), staged: new Set() });

/** Everything that a process has done of an append. */
export type Step = 'staged' | 'committed' | 'applied';

export interface MemoryEngine extends Ledger {
  /** Everything that every start does: applies what the log holds and the tables do not, and removes the staged rows of that. */
  recover(): Promise<void>;
}

/**
 * A small engine whose log is not the database, for tests of what such engines share: stage → commit → apply.
 * @param after called between the steps of an append; a process that is to crash there throws, now and ever after
 */
export function memoryEngine(
  database: Database,
  project: Project,
  streams: Streams,
  after: (step: Step) => void = () => undefined,
): MemoryEngine {
  const { grew, follow } = createNotifier();

  /** In the order of the chain, because a staged append can only be applied behind the one before it. */
  async function recover(chain: string): Promise<void> {
    const ofChain = [...streams.staged].filter((one) => one.chain === chain);
    for (const one of ofChain.sort((a, b) => a.expected.seq - b.expected.seq)) {
      const outcome = outcomeOf(streams, one);
      if (outcome === 'committed') await applyOnce(database, project, one.chain, one.expected, one.commits);
      if (outcome !== 'open') streams.staged.delete(one);
    }
  }

  async function stageAndCommit(staged: Staged, isLate: IsLate): Promise<'committed' | 'conflict' | Late> {
    let done: 'committed' | 'conflict' | Late | undefined;
    try {
      // The tables must not be behind the log, or the conflict of a stale caller would continue forever.
      await recover(staged.chain);
      streams.staged.add(staged);
      after('staged');
      await database.read(async (tx) => {
        await holdSettled(tx);
        const settledMs = await readSettled(tx);
        const isOpen = outcomeOf(streams, staged) === 'open';
        if (isOpen && isSettled(staged.commits, settledMs)) done = { outcome: 'late', settledMs };
        else if (isOpen && isLate()) done = { outcome: 'late' };
        else done = commit(streams, staged) ? 'committed' : 'conflict';
      });
    } catch (cause) {
      if (done === undefined) throw new NotAppended('the append failed before its commit', { cause });
    }
    return done ?? 'conflict';
  }

  return {
    async begin(chain, genesis, tagKey) {
      if (!streams.chains.has(chain)) streams.chains.set(chain, { genesis, tagKey, links: [] });
      const begun = streamOf(streams, chain);
      await database.transaction((tx) => insertChain(tx, chain, begun.genesis, begun.tagKey));
    },
    async append(chain, expected, commits, isLate = () => false): Promise<Appended> {
      requireEntrySizes(commits);
      const staged = { chain, expected, commits };
      const outcome = await stageAndCommit(staged, isLate);
      if (typeof outcome === 'object') {
        streams.staged.delete(staged);
        return outcome;
      }
      if (outcome === 'committed') {
        after('committed');
        const appended = await applyOnce(database, project, chain, expected, commits);
        // Without entries there is nothing in the log, and what the tables say is the outcome.
        if (appended.outcome === 'appended' || linksOf(commits).length === 0) {
          after('applied');
          streams.staged.delete(staged);
          if (appended.outcome === 'appended') grew(chain);
          return appended;
        }
      }
      await recover(chain);
      streams.staged.delete(staged);
      if (linksOf(commits).length > 0 && holds(streamOf(streams, chain), linksOf(commits)))
        return { outcome: 'appended' };
      return { outcome: 'conflict', head: await database.transaction((tx) => readHead(tx, chain)) };
    },
    async read(chain, afterSeq, limit) {
      return streamOf(streams, chain).links.slice(afterSeq, afterSeq + limit);
    },
    follow,
    async recover() {
      for (const [chain, { genesis, tagKey }] of streams.chains) {
        await database.transaction((tx) => insertChain(tx, chain, genesis, tagKey));
        await recover(chain);
      }
    },
  };
}

function streamOf({ chains }: Streams, chain: string): Stream {
  const stream = chains.get(chain);
  if (!stream) throw new Error(`there is no stream ${chain}`);
  return stream;
}

function linksOf(commits: readonly Commit[]): StoredLink[] {
  return commits.flatMap(({ entries }) => entries.map(({ entry, bytes, hash }) => ({ seq: entry.seq, bytes, hash })));
}

const holds = ({ links }: Stream, wanted: readonly StoredLink[]): boolean =>
  wanted.every(({ seq, hash }) => links[seq - 1]?.hash === hash);

/** The commit point: one synchronous step, as the append to a stream is with an expected revision. */
function commit(streams: Streams, { chain, expected, commits }: Staged): boolean {
  const stream = streamOf(streams, chain);
  const links = linksOf(commits);
  const end = stream.links.at(-1)?.hash ?? entryHash(stream.genesis);
  if (stream.links.length === expected.seq && end === expected.hash) {
    stream.links.push(...links);
    return true;
  }
  return links.length > 0 && holds(stream, links);
}

/** `open` while the log has not reached the place of the entries: they may still be committed. */
function outcomeOf(streams: Streams, { chain, expected, commits }: Staged): 'committed' | 'lost' | 'open' {
  const stream = streamOf(streams, chain);
  const links = linksOf(commits);
  if (links.length === 0) return 'open';
  if (holds(stream, links)) return 'committed';
  return stream.links.length > expected.seq ? 'lost' : 'open';
}
