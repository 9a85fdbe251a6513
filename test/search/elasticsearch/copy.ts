import { randomBytes } from 'node:crypto';
import { levelsOfMemories, sendableMemories, wordsOfMemories } from '../../../projections/search/copies/sendable.js';
import type { EngineCopy } from '../../../projections/search/queries.js';
import { circuitBreaker } from '../../../src/adapters/circuit-breaker.js';
import { sendChanges } from '../../../src/adapters/elasticsearch/bulk.js';
import { elasticsearchCandidates } from '../../../src/adapters/elasticsearch/candidates.js';
import { openCluster } from '../../../src/adapters/elasticsearch/client.js';
import { documentId, documentsOf } from '../../../src/adapters/elasticsearch/document.js';
import { indicesOf } from '../../../src/adapters/elasticsearch/indices.js';
import { documentVersion, indexNames } from '../../../src/adapters/elasticsearch/mapping.js';
import type { Database, Transaction } from '../../../src/database/database.js';
import { elasticsearchUrl } from '../../support/engines.js';
import { embedder } from '../finding.js';

/** An index in Elasticsearch that a test fills by itself, with the documents that the service would send. */
export function openCopy() {
  const indexPrefix = `test-${randomBytes(5).toString('hex')}`;
  const other = { apiKey: undefined, ca: undefined, shards: 1, replicas: undefined, fallback: false };
  const setting = { ...other, url: elasticsearchUrl(), indexPrefix };
  const cluster = openCluster(setting);
  const indices = indicesOf(cluster, setting);
  const { model } = embedder;
  const name = `${indexNames(indexPrefix)}1`;
  const breaker = circuitBreaker({ opened: () => undefined, closed: () => undefined });
  let version = 0;
  return {
    engine: elasticsearchCandidates(cluster, breaker),
    copyOf: async (): Promise<EngineCopy> => ({ index: name, model, isBehind: false }),
    make: () => indices.make({ name, version: documentVersion, model, store: 'test' }),
    /** Sends every memory that is ready. Those that were deleted stay in the index. */
    async copy(database: Database): Promise<void> {
      version++;
      const documents = await database.read((tx) => readDocuments(tx, model));
      const changes = documents.map(({ memoryId, chunk, json }) => ({
        id: documentId(memoryId, chunk),
        version,
        json,
      }));
      const lost = new AbortController().signal;
      const { refused } = await sendChanges(cluster, async () => changes, { index: name, refresh: true, lost });
      if (refused.size > 0) throw new Error(`documents were refused: ${[...refused.values()].join(', ')}`);
    },
    async remove(): Promise<void> {
      await indices.remove(name);
      await cluster.close();
    },
  };
}

async function readDocuments(tx: Transaction, model: string) {
  const rows = await tx.query<{ id: string }>("select memory_id::text as id from search_documents where model <> ''");
  const ids = rows.map(({ id }) => id);
  const memories = await sendableMemories(tx, ids);
  const words = await wordsOfMemories(tx, ids);
  const chunks = await levelsOfMemories(tx, { model }, ids);
  return memories.flatMap((memory) =>
    documentsOf({
      ...memory,
      words: words.get(memory.memoryId) ?? '',
      chunks: chunks.filter(({ memoryId }) => memoryId === memory.memoryId),
    }),
  );
}
