import type { Actor } from '../../contracts/entries/entry.js';
import { logChain } from '../../contracts/log.js';
import { receiptId, type World } from '../base/world.js';
import { isRefusedByStore } from '../database/database.js';
import { NotAppended } from '../ledger/ledger.js';
import { LogMoved, NotRecorded, type RecordInLog } from '../tlog/record.js';
import { entries } from './record.js';
import type { Run } from './run.js';

const system: Actor = { type: 'system', id: null, user_id: null, agent_id: null, app_id: null, run_id: null };

/** The way of the transparency log into the ledger. */
export function recordInLog(run: Run, world: World): RecordInLog {
  return (seen, ...events) => {
    const drafts = events.map((event) => ({ ...event, receipt_id: receiptId(world) }));
    const recorded = run(logChain, {
      actor: system,
      reads: { head: true },
      decide(_state, _recordedAt, head) {
        if (head.seq !== seen.seq || head.hash !== seen.hash) throw new LogMoved();
        return entries(drafts, undefined);
      },
    });
    return recorded.catch((error: unknown) => {
      if (!(error instanceof NotAppended || isRefusedByStore(error))) throw error;
      throw new NotRecorded(error.message, { cause: error });
    });
  };
}
