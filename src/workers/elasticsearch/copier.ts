import type { Logger } from 'pino';
import { servingIndex } from '../../../projections/search/copies/behind.js';
import {
  type Copy,
  copiesOf,
  noteDue,
  noteErasedCopies,
  noteSending,
  noteSent,
  type Sent,
  type Touched,
} from '../../../projections/search/copies/copies.js';
import { noteOperations, retireIndex, type StoredIndex } from '../../../projections/search/copies/indices.js';
import {
  levelsOfMemories,
  type Sendable,
  sendableMemories,
  wordsOfMemories,
} from '../../../projections/search/copies/sendable.js';
import { type Change, sendChanges, type Untaken } from '../../adapters/elasticsearch/bulk.js';
import type { Cluster } from '../../adapters/elasticsearch/client.js';
import {
  documentId,
  documentsOf,
  documentVersionOf,
  readDocumentId,
  seqOfVersion,
} from '../../adapters/elasticsearch/document.js';
import type { Indices } from '../../adapters/elasticsearch/indices.js';
import { groupedBy, inGroups } from '../../base/groups.js';
import type { Database, Transaction } from '../../database/database.js';
import { readHead } from '../../ledger/entries.js';

export interface CopierParts {
  readonly database: Database;
  readonly cluster: Cluster;
  readonly indices: Pick<Indices, 'operations' | 'refresh'>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** The texts of memories that are read together, in bytes. A larger memory is read by itself. */
const groupBytes = 512 * 1024;

/** The index has documents of entries that the ledger does not have: the database was restored from an older copy. */
class IndexAhead extends Error {
  override name = 'IndexAhead';
}

/** Sends memories of one chain to an index, and removes deleted ones from it. */
export type Copier = ReturnType<typeof createCopier>;

export function createCopier({ database, cluster, indices, log }: CopierParts, index: StoredIndex) {
  // Searches do not read an index that is being built, and refreshing it for each request would take most of the time.
  const refresh = index.state === 'serving';

  async function send(read: () => Promise<readonly Change[]>, lost: AbortSignal): Promise<Untaken> {
    const untaken = await sendChanges(cluster, read, { index: index.name, refresh, lost });
    // Searches may have begun to read the index meanwhile, and what is noted as sent must be found.
    if (!refresh && (await database.read(servingIndex))?.number === index.number) await indices.refresh(index.name);
    const operations = await indices.operations(index.name, 1);
    if (operations !== null) await database.transaction((tx) => noteOperations(tx, index.number, operations));
    return untaken;
  }

  /** @throws IndexAhead */
  async function requireKnown(chain: string, { newer }: Untaken): Promise<void> {
    if (newer.size === 0) return;
    const head = await database.read((tx) => readHead(tx, chain));
    if (Math.max(...[...newer.values()].map(seqOfVersion)) <= head.seq) return;
    await database.transaction((tx) => retireIndex(tx, index.number));
    throw new IndexAhead(`${index.name} has documents of entries that the ledger does not have`);
  }

  /** Sends those of these memories that are ready, as the database has them now. */
  async function copyReady(chain: string, memoryIds: readonly string[], lost: AbortSignal): Promise<void> {
    const ready = await database.read((tx) => sendableMemories(tx, memoryIds));
    for (const group of inGroups(ready, ({ size }) => size, { size: groupBytes })) {
      let sent: readonly Omit<Sent, 'fault'>[] = [];
      const untaken = await send(async () => {
        const { changes, ...read } = await database.transaction((tx) => readGroup(tx, index, group));
        sent = read.sent;
        return changes;
      }, lost);
      if (sent.length === 0) continue;
      await requireKnown(chain, untaken);
      const faults = faultsOf(untaken);
      for (const [memoryId, type] of faults) {
        log.error({ index: index.name, memory: memoryId, type }, 'Elasticsearch refuses a memory permanently');
      }
      const noted = sent.map((one) => ({ ...one, fault: faults.get(one.memoryId) ?? null }));
      await database.transaction((tx) => noteSent(tx, index, noted));
    }
  }

  return {
    copyReady,
    /** Brings the index up to date with entries: memories that were written or moved, and deleted ones. */
    async follow(chain: string, changed: readonly Touched[], deleted: readonly Touched[], lost: AbortSignal) {
      if (changed.length > 0) await database.transaction((tx) => noteDue(tx, index, chain, changed));
      await copyReady(
        chain,
        changed.map(({ memoryId }) => memoryId),
        lost,
      );
      if (deleted.length > 0) await erase(deleted, lost);
    },
  };

  async function erase(deleted: readonly Touched[], lost: AbortSignal): Promise<void> {
    const ids = deleted.map(({ memoryId }) => memoryId);
    const copies = await database.read((tx) => copiesOf(tx, index, ids));
    const seqOf = new Map(deleted.map(({ memoryId, seq }) => [memoryId, seq]));
    const changes = copies.flatMap(({ memoryId, chunks }) =>
      Array.from(
        { length: chunks },
        (_, chunk): Change => ({
          id: documentId(memoryId, chunk),
          version: documentVersionOf(seqOf.get(memoryId) ?? 0, 0),
          json: null,
        }),
      ),
    );
    // A deletion never gets too old to be sent.
    if (changes.length > 0) await send(async () => changes, lost);
    await database.transaction((tx) => noteErasedCopies(tx, index, ids));
  }
}

/**
 * The documents of a group, as the database has them now. Before they are sent it is noted how many there are, so that a deletion
 * that comes in between finds all of them.
 */
async function readGroup(tx: Transaction, index: StoredIndex, group: readonly Sendable[]) {
  const memories = await sendableMemories(
    tx,
    group.map(({ memoryId }) => memoryId),
    'for key share',
  );
  const ids = memories.map(({ memoryId }) => memoryId);
  const words = await wordsOfMemories(tx, ids);
  const levels = groupedBy(await levelsOfMemories(tx, index, ids), ({ memoryId }) => memoryId);
  const seqs = new Map((await copiesOf(tx, index, ids)).map(({ memoryId, seq }) => [memoryId, seq]));
  const changes: Change[] = [];
  const copies: Pick<Copy, 'memoryId' | 'chunks'>[] = [];
  const sent: Omit<Sent, 'fault'>[] = [];
  for (const { model, ...memory } of memories) {
    const { memoryId } = memory;
    const seq = seqs.get(memoryId);
    // It was deleted in the index meanwhile, by a process that is further.
    if (seq === undefined) continue;
    const chunks = levels.get(memoryId) ?? [];
    const version = documentVersionOf(seq, chunks.length > 0 ? index.generation : 0);
    const documents = documentsOf({ ...memory, words: words.get(memoryId) ?? '', chunks });
    changes.push(...documents.map(({ chunk, json }) => ({ id: documentId(memoryId, chunk), version, json })));
    copies.push({ memoryId, chunks: 1 + (documents.at(-1)?.chunk ?? 0) });
    sent.push({ memoryId, seq, withVectors: model === index.model });
  }
  await noteSending(tx, index, copies);
  return { changes, sent };
}

/** The types of the errors of memories of which the cluster refuses a document permanently. */
const faultsOf = ({ refused }: Untaken): Map<string, string> =>
  new Map([...refused].map(([id, type]) => [readDocumentId(id).memoryId, type]));
