import { type CatchUpParts, resolvePending } from './catch-up.js';
import { eventsOf, streamOf } from './events.js';
import { pendingOf, pendingSince } from './pending.js';

/** Staged appends that are younger than this belong to a process that works on them, in seconds. */
const youngSeconds = 10;
/** After this time the process that staged an append is taken for dead, in seconds. */
const abandonedSeconds = 30;
/** Answers can be repeated for as long as this, in seconds. An older append stays as it is, and the operator is alerted. */
export const alertSeconds = 24 * 3600;
/** Staged appends that one round looks at. */
const batch = 100;

/**
 * Finds out what became of appends that were staged a while ago. One that was committed is applied. One whose place was taken goes.
 * The outcome of one that its process has left is unknown, so it is appended again with the same ids behind the same revision,
 * which ends the doubt. Age alone removes none.
 */
export async function sweepPending(parts: CatchUpParts): Promise<void> {
  const waiting = await parts.database.read((tx) => pendingSince(tx, youngSeconds, batch));
  for (const chain of new Set(waiting.map((one) => one.chain))) await resolvePending(parts, chain);
  for (const { chain, lastHash, seconds } of waiting) {
    if (seconds < abandonedSeconds || seconds > alertSeconds) continue;
    await appendAgain(parts, chain, lastHash);
  }
}

async function appendAgain(parts: CatchUpParts, chain: string, lastHash: string): Promise<void> {
  const pending = await parts.database.read((tx) => pendingOf(tx, chain));
  const append = pending.find((one) => one.lastHash === lastHash);
  if (!append) return;
  await parts.streams.append(streamOf(parts.prefix, chain), append.expectedSeq, eventsOf(append.commits));
  await resolvePending(parts, chain);
}
