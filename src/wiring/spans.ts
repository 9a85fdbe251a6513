import type { Logger } from 'pino';
import type { Services } from '../api/services.js';
import type { World } from '../base/world.js';
import { createRecordSpans } from '../commands/record-spans.js';
import type { Run } from '../commands/run.js';
import { createSubmitTasks } from '../commands/submit-tasks.js';
import type { Database } from '../database/database.js';
import type { Role } from '../settings/roles.js';
import { createWorker, type Worker } from '../workers/loop.js';
import { recordingSpans } from '../workers/recording-spans.js';

interface SpanParts extends Pick<Services, 'readTasks' | 'redactTexts' | 'tags' | 'sentDigest'> {
  readonly database: Database;
  readonly run: Run;
  readonly world: World;
  readonly log: Logger;
}

/** The recording of OpenTelemetry spans, and the worker that ends traces for which nothing more is waited for. */
export function wireSpans(parts: SpanParts): {
  readonly recordSpans: Services['recordSpans'];
  readonly spanWorker: readonly [Role, Worker];
} {
  const { database, world, log } = parts;
  const { read, transaction } = database;
  const recordSpans = createRecordSpans({ world, read, transaction, submit: createSubmitTasks(parts) });
  const job = recordingSpans({ database, recordSpans, world, log });
  return { recordSpans, spanWorker: ['ingest', createWorker({ world, log }, job)] };
}
