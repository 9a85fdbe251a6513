import type { Logger } from 'pino';
import { openExtractor } from '../adapters/extract/extractor.js';
import { openJsonReader } from '../adapters/json/reader.js';
import { publicFetch } from '../adapters/public-fetch.js';
import { openRedactor } from '../adapters/redaction/redactor.js';
import { openTaskReader } from '../adapters/tasks/reader.js';
import { openVerifying } from '../adapters/verifying/verifying.js';
import type { Services } from '../api/services.js';
import { createImports } from '../commands/imports.js';
import type { Config } from '../config.js';

type Reading = Pick<Services, 'imports' | 'redact' | 'redactTexts' | 'readJson' | 'readTasks' | 'checkBundle'>;

interface Closable {
  close(): Promise<void>;
}

/** The readers of the bodies, files and pages that callers send, beside the main thread. */
export function wireReading(
  { allowPrivateUrls, vendorPlatforms }: Config,
  log: Logger,
): { readonly reading: Reading; readonly threads: readonly Closable[] } {
  if (allowPrivateUrls)
    log.warn('ALLOW_PRIVATE_URLS is set: URL imports and webhooks reach the network around this service');
  const [extractor, redactor, jsonReader, taskReader, verifying] = [
    openExtractor(),
    openRedactor(),
    openJsonReader(),
    openTaskReader(vendorPlatforms),
    openVerifying(),
  ];
  return {
    threads: [extractor, redactor, jsonReader, taskReader, verifying],
    reading: {
      imports: createImports({ fetch: publicFetch({ allowPrivate: allowPrivateUrls }), extractor }),
      redact: redactor.redact,
      redactTexts: redactor.redactTexts,
      readJson: jsonReader.read,
      readTasks: taskReader.read,
      checkBundle: verifying.check,
    },
  };
}
