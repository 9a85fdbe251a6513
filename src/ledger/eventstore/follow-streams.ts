import type { Transaction } from '../../database/database.js';
import { chainIds } from '../entries.js';
import { type CatchUpParts, catchUp } from './catch-up.js';
import { chainOf, chainOfSettings } from './events.js';
import { inspect, inspectAll, type OnHalt } from './faults.js';
import { readHalts } from './halts.js';
import { knownPosition, writePosition } from './position.js';
import type { StreamPosition, Subscriber } from './streams.js';
import { sweepPending } from './sweep.js';

/** How often the chains that have grown are looked at, in milliseconds. What is appended here is by then applied here. */
const lookMs = 500;
/** How often staged appends are looked at. */
const sweepMs = 5000;
/** How many halted chains are looked at in one round. */
const haltsAtOnce = 100;

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Renews the lease. @returns false when it was lost */
  keep(tx: Transaction): Promise<boolean>;
  /** The chains that could not be brought up to date, with the reason. */
  onFault(faults: ReadonlyMap<string, unknown>): void;
  readonly onHalt: OnHalt;
}

/**
 * Follows all streams of the prefix from the stored position and applies what others have appended and not applied: of a process
 * that was killed, or on another database. Resolves when `signal` is aborted or the lease is lost; rejects when the subscription ends.
 *
 * A subscription that begins may be the first one of another cluster or of older streams, so the end of every chain is compared
 * with its stream meanwhile. Chains with a fault take no appends until it is repaired.
 */
export async function followStreams(parts: CatchUpParts, options: FollowOptions): Promise<void> {
  const { signal, keep, onFault, onHalt } = options;
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  const { seen, subscriber } = createSeen(parts.prefix);
  const { grown, suspects } = seen;
  const after = await knownPosition(parts.database, parts.streams);
  const chains = await parts.database.read(chainIds);
  // Nothing is waited for between here and the first look at `reading`: a subscription that fails meanwhile would end the process.
  const reading = parts.streams.subscribe(`${parts.prefix}-`, after, subscriber, either);
  let sweptAt = Number.NEGATIVE_INFINITY;
  const failures: unknown[] = [];
  const comparing = inspectAll(parts, chains, onHalt, either).catch((error: unknown) => void failures.push(error));
  try {
    for (let held = true; held && !signal.aborted; ) {
      await Promise.race([reading, pause(lookMs, either)]);
      if (failures.length > 0) throw failures[0];
      const position = seen.reached;
      const faults = await applyGrown(parts, grown);
      onFault(faults);
      for (const chain of [...faults.keys(), ...suspects]) {
        await inspect(parts, chain, onHalt);
        suspects.delete(chain);
      }
      if (performance.now() - sweptAt > sweepMs) {
        for (const { chain } of await parts.database.read((tx) => readHalts(tx, haltsAtOnce))) suspects.add(chain);
        await sweepPending(parts);
        sweptAt = performance.now();
      }
      held = await parts.database.transaction(async (tx) => {
        if (position && faults.size === 0) await writePosition(tx, position);
        return keep(tx);
      });
    }
  } finally {
    ending.abort();
    await Promise.allSettled([reading, comparing]);
  }
}

/** The chains that a subscription has named since it began, and that were not worked on yet. */
function createSeen(prefix: string) {
  const grown = new Map<string, number>();
  const suspects = new Set<string>();
  const seen: { grown: typeof grown; suspects: typeof suspects; reached: StreamPosition | null } = {
    grown,
    suspects,
    reached: null,
  };
  const subscriber: Subscriber = {
    event({ stream, revision }) {
      const chain = chainOf(prefix, stream);
      if (chain !== null) grown.set(chain, Math.max(revision, grown.get(chain) ?? 0));
      const changed = chainOfSettings(prefix, stream);
      if (changed !== null) suspects.add(changed);
    },
    reached(position) {
      seen.reached = position;
    },
  };
  return { seen, subscriber };
}

/** Chains that cannot be brought up to date stay in `grown`, and the other chains proceed. */
async function applyGrown(parts: CatchUpParts, grown: Map<string, number>): Promise<Map<string, unknown>> {
  const faults = new Map<string, unknown>();
  const taken = new Map(grown);
  grown.clear();
  for (const chain of await behindOf(parts, taken)) {
    try {
      await catchUp(parts, chain);
    } catch (error) {
      faults.set(chain, error);
      grown.set(chain, Math.max(taken.get(chain) ?? 0, grown.get(chain) ?? 0));
    }
  }
  return faults;
}

/** Those of the chains whose tables end before what was seen of their streams. */
async function behindOf({ database }: CatchUpParts, seen: ReadonlyMap<string, number>): Promise<string[]> {
  if (seen.size === 0) return [];
  const rows = await database.read((tx) =>
    tx.query<{ chain: string; head_seq: number }>(
      'select chain::text, head_seq from chains where chain = any($1::uuid[])',
      [[...seen.keys()]],
    ),
  );
  const heads = new Map(rows.map(({ chain, head_seq }) => [chain, head_seq]));
  return [...seen].filter(([chain, revision]) => (heads.get(chain) ?? -1) < revision).map(([chain]) => chain);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
