import { type IngestParts, ingestBatch, ingestLine } from '../../src/workers/ingesting.js';

/** Makes all memories searchable that are queued, first those with short texts. */
export async function ingestAll(parts: IngestParts): Promise<void> {
  for (const isLong of [false, true]) {
    const line = ingestLine(parts.world, isLong);
    while ((await ingestBatch(parts, line)) > 0);
  }
}
