import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { BenchService } from './service.js';

/** A search index, and the settings of a service that searches it. */
export interface BenchIndex {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The database's index, and one of its own in Elasticsearch if ELASTICSEARCH_URL is set. */
export interface BenchIndices {
  readonly all: readonly BenchIndex[];
  /** The settings with which memories are written: all indexes get them. */
  readonly writing: Readonly<Record<string, string>>;
  /** Deletes what was written to Elasticsearch. */
  remove(): Promise<void>;
}

export function benchIndices(url = process.env.ELASTICSEARCH_URL): BenchIndices {
  const database = { name: 'database', env: {} };
  if (url === undefined) return { all: [database], writing: {}, remove: async () => undefined };
  const prefix = `bench-${randomBytes(5).toString('hex')}`;
  // Without the fallback, so that no answer of the database is measured as one of Elasticsearch.
  const env = { ELASTICSEARCH_URL: url, ELASTICSEARCH_INDEX_PREFIX: prefix, SEARCH_FALLBACK: 'off' };
  return {
    all: [database, { name: 'Elasticsearch', env }],
    writing: env,
    async remove() {
      // Elasticsearch may refuse wildcards when indices are deleted, so their names are read first.
      const names = await (await fetch(new URL(`${prefix}-*`, `${url}/`))).json();
      for (const name of Object.keys(z.record(z.string(), z.unknown()).parse(names))) {
        await fetch(new URL(name, `${url}/`), { method: 'DELETE' });
      }
    },
  };
}

const answer = z.object({ degraded: z.array(z.string()) });

/** Waits until the index that the service searches has all memories that are ready. */
export async function untilCopied(service: BenchService): Promise<void> {
  for (;;) {
    const { status, json } = await service.post('/v1/memories/search', { query: 'a', k: 1 });
    if (status === 200 && !answer.parse(json).degraded.includes('reindexing')) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
