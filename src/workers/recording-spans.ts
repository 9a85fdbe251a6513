import type { Logger } from 'pino';
import { Refusal } from '../../contracts/errors.js';
import { nextTrace } from '../../projections/spans/due.js';
import { dueTraces, forgetTrace, type OpenTrace, postponeTrace } from '../../projections/spans/open-traces.js';
import type { World } from '../base/world.js';
import type { RecordSpans } from '../commands/record-spans.js';
import type { Run } from '../commands/run.js';
import type { Database } from '../database/database.js';
import type { Caller } from '../domain/caller.js';
import { countOf, sentencesOf } from '../domain/otlp/refused.js';
import type { TraceNode } from '../domain/otlp/trace.js';
import type { DueJob } from './lookout.js';

const lookMs = 1000;
const tracesAtOnce = 20;
/** The pause before the next attempt for a trace whose sender may record nothing now. */
const againMs = 5 * 60_000;
/** After this time the spans of such a trace are given up. */
const givenUpMs = 24 * 3_600_000;

interface Parts {
  readonly database: Database;
  readonly recordSpans: RecordSpans;
  readonly run: Run;
  readonly world: World;
  readonly log: Logger;
}

/**
 * Records the spans whose root has not come in time, each tree that they form as a receipt of its own, and forgets traces that
 * were recorded. Two processes may do it at the same time: what one has recorded is a duplicate for the other.
 */
export function recordingSpans({ database, recordSpans, run, world, log }: Parts): DueJob {
  async function end(trace: OpenTrace): Promise<void> {
    const nodes: TraceNode[] = JSON.parse(trace.nodes);
    const caller: Caller = JSON.parse(trace.caller);
    const waiting = nodes.filter(({ span }) => span).length;
    if (waiting > 0) {
      const part = JSON.stringify({ spans: [], links: [] });
      const refused = await recordSpans({ run, caller, traces: [{ traceId: trace.trace_id, part }], complete: true });
      if (countOf(refused) > 0)
        log.warn({ reasons: sentencesOf(refused) }, 'spans that waited for their root were refused');
      // What was recorded is remembered for some time, as of every trace.
      return;
    }
    await database.transaction((tx) => forgetTrace(tx, trace));
  }

  async function postpone(trace: OpenTrace, refusal: Refusal): Promise<void> {
    const now = world.now().getTime();
    if (now - trace.opened_ms < givenUpMs) {
      await database.transaction((tx) => postponeTrace(tx, trace, new Date(now + againMs)));
      return;
    }
    log.warn(
      { code: refusal.code },
      'spans that waited for their root were given up: their sender may not record them',
    );
    await database.transaction((tx) => forgetTrace(tx, trace));
  }

  return {
    name: 'recording spans',
    due: nextTrace,
    firstMs: lookMs,
    napMs: lookMs,
    async work(stopping) {
      const due = await database.read((tx) => dueTraces(tx, world.now(), tracesAtOnce));
      for (const trace of due) {
        if (stopping.aborted) return false;
        try {
          await end(trace);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          await postpone(trace, error);
        }
      }
      return due.length === tracesAtOnce;
    },
  };
}
