import type { Actor, Bodies } from '../../contracts/entries/entry.js';
import { logChain } from '../../contracts/log.js';
import { wantsNothing } from '../domain/state.js';
import { receiptId, type World } from '../world.js';
import type { Run } from './run.js';

type LogKind = Extract<keyof Bodies, `log.${string}` | `checkpoint.${string}` | `anchor.${string}`>;

/** Something that happened to the public log. */
export type LogEvent = { [K in LogKind]: { readonly kind: K; readonly body: Bodies[K] } }[LogKind];

/** Somebody else has written to the log since it was read. Nothing was written: read it again. */
export class LogMoved extends Error {
  override name = 'LogMoved';
}

/**
 * Writes to the log's chain what was decided on its first `seen` entries.
 * @throws LogMoved when it has more by now
 */
export type RecordInLog = (seen: number, event: LogEvent) => Promise<void>;

const system: Actor = { type: 'system', id: null, user_id: null, agent_id: null, app_id: null, run_id: null };

export function recordInLog(run: Run, world: World): RecordInLog {
  return (seen, event) => {
    const id = receiptId(world);
    return run(logChain, {
      // Not wantsNothing itself: where the chain ends now matters, not where this process last left it.
      wants: { ...wantsNothing },
      decide(_state, recordedAt, head) {
        if (head.seq !== seen) throw new LogMoved();
        const draft = { ...event, receipt_id: id, recorded_at: recordedAt, actor: system };
        return { drafts: [draft], deposits: [], erase: [], answer: () => undefined };
      },
    });
  };
}
