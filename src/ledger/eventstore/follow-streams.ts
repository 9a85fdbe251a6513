import type { Transaction } from '../../adapters/database/database.js';
import { type CatchUpParts, catchUp } from './catch-up.js';
import { chainOf } from './events.js';
import { readPosition, writePosition } from './position.js';
import type { StreamPosition } from './streams.js';
import { sweepPending } from './sweep.js';

/** How often the chains that have grown are looked at, in milliseconds. What is appended here is by then applied here. */
const lookMs = 500;
/** How often staged appends are looked at. */
const sweepMs = 5000;

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Renews the lease. @returns false when it was lost */
  keep(tx: Transaction): Promise<boolean>;
  /** The chains that could not be brought up to date, with the reason. */
  onFault(faults: ReadonlyMap<string, unknown>): void;
}

/**
 * Follows all streams of the prefix from the stored position and applies what others have appended and not applied: of a process
 * that was killed, or on another database. Resolves when `signal` is aborted or the lease is lost; rejects when the subscription ends.
 */
export async function followStreams(parts: CatchUpParts, { signal, keep, onFault }: FollowOptions): Promise<void> {
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  const grown = new Map<string, number>();
  let reached: StreamPosition | null = null;
  const reading = parts.streams.subscribe(
    `${parts.prefix}-`,
    await parts.database.read(readPosition),
    {
      event({ stream, revision }) {
        const chain = chainOf(parts.prefix, stream);
        if (chain !== null) grown.set(chain, Math.max(revision, grown.get(chain) ?? 0));
      },
      reached(position) {
        reached = position;
      },
    },
    either,
  );
  let sweptAt = Number.NEGATIVE_INFINITY;
  try {
    for (let held = true; held && !signal.aborted; ) {
      await Promise.race([reading, pause(lookMs, either)]);
      const position: StreamPosition | null = reached;
      const faults = await applyGrown(parts, grown);
      onFault(faults);
      if (performance.now() - sweptAt > sweepMs) {
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
    await reading.catch(() => undefined);
  }
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
