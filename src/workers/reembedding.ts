import type { Logger } from 'pino';
import { beginForNewSize } from '../../projections/search/copies/indices.js';
import { nextOutdated } from '../../projections/search/due.js';
import { giveUpVectors, type Outdated, outdatedDocuments, replaceVectors } from '../../projections/search/models.js';
import type { Step } from '../../projections/search/step.js';
import { EmbedderAway } from '../adapters/embeddings/embedder.js';
import type { Vault } from '../commands/vault.js';
import type { Database } from '../database/database.js';
import type { Prepare } from '../domain/prepared.js';
import type { Embedding } from './embedding.js';
import { type Indexed, searchDocuments } from './indexing.js';
import { createLease, type Lease } from './lease.js';
import type { DueJob } from './lookout.js';
import type { ModelWatch } from './model-watch.js';

/** Of one batch; searches and writes on the embedded database wait for 64 vectors at most. */
const batch = { limit: 64, bytes: 256 * 1024 };
/** Each step renews it. */
const leaseMs = 5 * 60_000;
const lookMs = 1000;
/** Memories between two lines of the log. */
const reportEvery = 6400;
/**
 * How often a memory is sent alone that the embedder fails with, although it answers before and after. After each failure of a
 * full request the next one has half of the texts, so the last ones have single texts.
 */
const mostTries = 8;
/** Memories that are remembered because they could not be embedded. */
const mostRemembered = 1000;

interface ReembeddingParts {
  readonly database: Database;
  readonly embedding: Embedding;
  readonly prepare: Prepare;
  readonly vault: Vault;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** See `removing`. */
  readonly owner: string;
}

/**
 * Gives every memory vectors of the embedder's model: after a change of the model all of them, and after an outage of the embedder
 * those that were written meanwhile. The row of a memory names the model of its vectors, so a restart continues where it was.
 *
 * After a failure the next batch has half as many memories, so that one that cannot be embedded is soon alone. It is tried again
 * after all other memories, and at last given up: it stays found by its words.
 */
export function reembedding(parts: ReembeddingParts, watch: ModelWatch): DueJob {
  const { database, embedding, log, owner } = parts;
  const { model } = embedding;
  const lease = createLease(database, 'reembedding', owner, leaseMs);
  const failed = createFailed();
  const embedAgain = embeddingAgain(parts, lease, failed);
  let place: { readonly after: string | null; readonly hasMoved: boolean } = { after: null, hasMoved: false };
  let limit = batch.limit;
  let done = 0;

  /** At the end of the memories. Those that were written or failed meanwhile may be anywhere. @returns whether to look again */
  async function endPass(): Promise<boolean> {
    const { hasMoved } = place;
    place = { after: null, hasMoved: false };
    limit = batch.limit;
    if (hasMoved) return true;
    watch.end();
    await lease.drop();
    if (done > 0) log.info({ model, done }, 'every memory has vectors of this model');
    done = 0;
    return false;
  }

  /** The model was replaced by one with vectors of another size, under the same name. */
  async function changeSize(): Promise<void> {
    const size = embedding.newSize();
    if (size === null || !(await lease.take())) return;
    log.warn({ model, size }, 'the vectors of this model have another size now: all memories are embedded again');
    watch.begin();
    while (await database.transaction((tx) => giveUpVectors(tx, model)));
    await database.transaction((tx) => beginForNewSize(tx, model));
    embedding.acceptSize();
  }

  return {
    name: 're-embedding',
    due: nextOutdated(model),
    isWaiting: () => embedding.health().fault !== null,
    napMs: lookMs,
    lease,
    async work() {
      if (!(await embedding.isReady())) {
        await changeSize();
        return false;
      }
      const page = { limit, bytes: batch.bytes, except: failed.altered() };
      const documents = failed.firstOf(await database.read((tx) => outdatedDocuments(tx, model, place.after, page)));
      const last = documents.at(-1);
      if (!last) return endPass();
      watch.begin();
      const outcome = await embedAgain(documents);
      if (outcome === 'lost') return false;
      if (outcome === 'away' && documents.length > 1) {
        limit = documents.length >> 1;
        return false;
      }
      // A memory that failed alone is tried again in the next pass, so that it does not hold up other ones.
      place = { after: last.memoryId, hasMoved: true };
      if (outcome === 'away') return false;
      limit = Math.min(batch.limit, 2 * limit);
      const before = done;
      done += documents.length;
      if (Math.floor(before / reportEvery) < Math.floor(done / reportEvery)) {
        log.info({ model, done }, 'memories were embedded again');
      }
      return true;
    },
  };
}

/** Two processes at one document would mix their steps. An embedder may take longer than the lease is given for. */
function embeddingAgain(parts: ReembeddingParts, lease: Lease, failed: Failed) {
  const { database, embedding, prepare, vault } = parts;
  const step: Step = (work) => database.transaction(async (tx) => (await lease.keep(tx)) && (await work(tx)));

  async function replace(documents: readonly Indexed[]): Promise<'done' | 'lost'> {
    if (!(await lease.take())) return 'lost';
    await replaceVectors(documents, step);
    for (const { memoryId, refused } of documents) {
      failed.forget(memoryId);
      if (refused > 0) noteRefused(parts, memoryId, refused);
    }
    return 'done';
  }

  return async (documents: readonly Outdated[]): Promise<'done' | 'away' | 'lost'> => {
    if (!(await lease.take())) return 'lost';
    const genuine = await vault.genuine(documents);
    const ids = new Set(genuine.map(({ memoryId }) => memoryId));
    for (const { memoryId } of documents) if (!ids.has(memoryId)) failed.noteAltered(memoryId);
    const [first] = genuine;
    const only = genuine.length === 1 && first ? first.memoryId : null;
    const embed = only !== null && failed.isHopeless(only) ? refusing(embedding.model) : embedding.inTime;
    try {
      return await replace(await searchDocuments(genuine, embed, prepare));
    } catch (error) {
      if (!(error instanceof EmbedderAway)) throw error;
      if (only !== null && !error.isBusy) failed.note(only);
      return 'away';
    }
  };
}

/** The memories that this process could not embed. */
interface Failed {
  /** Notes that a memory failed alone. */
  note(memoryId: string): void;
  forget(memoryId: string): void;
  /** Whether it has failed too often, although the embedder answers. */
  isHopeless(memoryId: string): boolean;
  /** The first of these documents that are sent together: one that has failed is sent alone. */
  firstOf(documents: readonly Outdated[]): readonly Outdated[];
  /** Notes that the text of a memory is not the one that was written. It is not read again by this process. */
  noteAltered(memoryId: string): void;
  altered(): string[];
}

function createFailed(): Failed {
  const tries = new Map<string, number>();
  const altered = new Map<string, true>();
  return {
    note: (memoryId) => remember(tries, memoryId, (tries.get(memoryId) ?? 0) + 1),
    forget: (memoryId) => void tries.delete(memoryId),
    isHopeless: (memoryId) => (tries.get(memoryId) ?? 0) >= mostTries,
    firstOf(documents) {
      const at = documents.findIndex(({ memoryId }) => tries.has(memoryId));
      return at < 0 ? documents : documents.slice(0, Math.max(1, at));
    },
    noteAltered: (memoryId) => remember(altered, memoryId, true),
    altered: () => [...altered.keys()],
  };
}
/** Sets a key of a map that forgets its oldest keys. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size >= mostRemembered && !map.has(key)) map.delete(oldest);
  map.set(key, value);
}

/** For a memory that is given up: it has the model, and no vectors of it. */
const refusing =
  (model: string): Embedding['inTime'] =>
  async (texts) => ({ model, vectors: texts.map(() => null) });

/** Says which memory is found by its words only, because the embedder refuses `count` of its chunks. */
function noteRefused(
  { embedding, log }: { readonly embedding: Embedding; readonly log: Pick<Logger, 'warn'> },
  memory: string,
  count: number,
): void {
  embedding.noteRefused(count);
  log.warn({ memory, chunks: count }, 'parts of a memory cannot be embedded; they are found by their words only');
}
