import type { Logger } from 'pino';
import { limits } from '../../contracts/limits.js';
import { openExtractor } from '../adapters/extract/extractor.js';
import { openTraceReader } from '../adapters/otlp/reader.js';
import { protobufAnswer } from '../adapters/otlp/wire.js';
import type { Outside } from '../adapters/outside.js';
import { openTaskReader } from '../adapters/tasks/reader.js';
import { openJsonReader } from '../adapters/threads/bodies.js';
import { openRedactor } from '../adapters/threads/redactor.js';
import { openVerifying } from '../adapters/threads/verifying.js';
import { createImports } from '../commands/imports.js';
import { createQueue } from '../domain/queue.js';
import type { Config } from '../settings/config.js';

/** Answers that are made at a time, all and those of one workspace, and the number that may wait, each of a page of an export. */
const largeAnswers = {
  atOnce: 2,
  heldBytes: 64 * limits.exportPageBytes,
  own: { atOnce: 1 },
  what: 'exports',
};

/** The readers of the bodies, files and pages that callers send, beside the main thread. */
export function wireReaders(
  { allowPrivateUrls, vendorPlatforms }: Config,
  { log, outside }: { readonly log: Logger; readonly outside: Outside },
) {
  if (allowPrivateUrls)
    log.warn('ALLOW_PRIVATE_URLS is set: URL imports and webhooks reach the network around this service');
  const [extractor, redactor, jsonReader, taskReader, traceReader, verifying] = [
    openExtractor(),
    openRedactor(),
    openJsonReader(),
    openTaskReader(vendorPlatforms),
    openTraceReader(),
    openVerifying(),
  ];
  return {
    spansWithoutOperation: traceReader.spansWithoutOperation,
    threads: [extractor, redactor, jsonReader, taskReader, traceReader, verifying],
    readers: {
      imports: createImports({ fetch: outside.fetch({ allowPrivate: allowPrivateUrls }), extractor }),
      redact: redactor.redact,
      redactTexts: redactor.redactTexts,
      readJson: jsonReader.read,
      readTasks: taskReader.read,
      readTraces: traceReader.read,
      encodeTracesAnswer: protobufAnswer,
      checkBundle: verifying.check,
      largeAnswers: createQueue(largeAnswers),
    },
  };
}
