import type { Bodies } from '../../contracts/entries/entry.js';
import type { LogHead } from '../../projections/log/queries.js';

type LogKind = Extract<keyof Bodies, `log.${string}` | `checkpoint.${string}` | `anchor.${string}`>;

/** Something that happened to the transparency log. */
export type LogEvent = { [K in LogKind]: { readonly kind: K; readonly body: Bodies[K] } }[LogKind];

/** Another writer has appended to the log since it was read. Nothing was written: read it again. */
export class LogMoved extends Error {
  override name = 'LogMoved';
  override message = 'others write to the transparency log all the time';
}

/** The store has failed before anything was written. The cause is what went wrong. */
export class NotRecorded extends Error {
  override name = 'NotRecorded';
}

/** Tries before giving up. Each failed one means that another writer has succeeded. */
const tries = 5;

/** Does `work`, and repeats it from its beginning while others write to the log. @throws LogMoved when they do not stop */
export async function whileLogMoves<T>(work: () => Promise<T>, left = tries): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LogMoved && left > 1) return whileLogMoves(work, left - 1);
    throw error;
  }
}

/**
 * Writes to the log's chain, in one commit, what was decided while it ended at `seen`. The hash of that end is compared too:
 * after a failover another history may have as many entries.
 * @throws LogMoved when it ends elsewhere by now, and NotRecorded; after other errors it may have been written or not
 */
export type RecordInLog = (seen: LogHead, ...events: readonly LogEvent[]) => Promise<void>;
