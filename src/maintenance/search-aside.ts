import { addDocuments, removeDocuments } from '../../projections/search/index.js';
import type { Database, Row, Transaction } from '../adapters/database/database.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import { alterationOf, type Kept } from '../ledger/deposits.js';
import { type Indexable, searchDocuments } from '../workers/indexing.js';
import { type Aside, dropAnd, type OnProgress } from './aside.js';
import { openSideSchema } from './side-schema.js';

/** Memories per transaction: others wait for one batch, and the texts of two are in memory at once. */
const batchMemories = 400;
const batchBytes = 8 * 1024 * 1024;

/** Pages begin behind an id. It is said of both tables, or a merge join would read one from its start for every page. */
const beforeAll = '00000000-0000-0000-0000-000000000000';

type ReadyMemory = Indexable & Kept & Row;

/** A text that is not the one that was written stays out of the index. Whoever asks for it, and fsck, says so. */
const isGenuine = (memory: ReadyMemory): boolean => alterationOf(memory) === null;

/**
 * Indexes every ready memory anew in the schema `schema`, while the pipeline goes on filling the index that serves.
 * The embedder is asked outside of transactions, but for what became ready at the very end.
 */
export async function buildSearchAside(
  database: Database,
  embedder: Embedder,
  { schema, ddl }: { readonly schema: string; readonly ddl: string },
  onProgress: OnProgress,
): Promise<Aside> {
  const schemas = await openSideSchema(database, ddl, schema);

  async function indexAll(): Promise<void> {
    const [ready] = await database.transaction((tx) =>
      tx.query<{ total: number }>(`select count(*) as total from jobs where stage = 'done'`),
    );
    let done = 0;
    const batchAfter = async (after: string) => {
      const memories = await database.transaction((tx) => readyMemories(tx, after));
      const documents = await searchDocuments(memories.filter(isGenuine), embedder);
      return { last: memories.at(-1), count: memories.length, documents };
    };
    let ahead = batchAfter(beforeAll);
    for (;;) {
      const { last, count, documents } = await ahead;
      onProgress(done, Math.max(done, last ? (ready?.total ?? 0) : done));
      if (!last) return;
      // The next texts are cut up while the database takes these in.
      ahead = batchAfter(last.memoryId);
      ahead.catch(() => undefined);
      await database.transaction(async (tx) => {
        // Nothing of a replay outlives a crash, so its commits need not wait for the disk.
        await tx.query('set local synchronous_commit = off');
        await schemas.enter(tx);
        const kept = await keepMemories(tx, documents);
        await addDocuments(
          tx,
          documents.filter(({ memoryId }) => kept.has(memoryId)),
        );
      });
      done += count;
    }
  }

  await indexAll().catch(dropAnd(schemas));
  let seen: string | null = null;
  return {
    ...schemas,
    level: (work) =>
      database.transaction(async (tx) => {
        // Without the first nothing is deleted, without the second nothing becomes ready.
        await tx.query('lock table chains in exclusive mode');
        await tx.query('lock table jobs in exclusive mode');
        await schemas.enter(tx);
        // A comparison comes here for every page, and each of the two looks reads all memories.
        const now = await whatMayChange(tx);
        if (now === seen) return work(tx);
        await catchUp(tx, embedder);
        seen = now;
        return work(tx);
      }),
  };
}

/** Takes out what was deleted or moved, and adds what became ready. */
async function catchUp(tx: Transaction, embedder: Embedder): Promise<void> {
  await removeDocuments(tx, await goneMeanwhile(tx));
  for (let after = beforeAll; ; ) {
    const memories = await readyMeanwhile(tx, after);
    const last = memories.at(-1);
    if (!last) return;
    await addDocuments(tx, await searchDocuments(memories.filter(isGenuine), embedder));
    after = last.memoryId;
  }
}

const ready = `memories m join jobs j on j.memory_id = m.id and j.stage = 'done'`;
const columns = `m.id::text as "memoryId", m.namespace_id::text as "namespaceId", n.text_config as "textConfig",
  m.receipt_id, m.receipt_hash, e.bytes as entry, v.salt, v.content, v.metadata, v.source, v.label`;
const about = `join namespaces n on n.id = m.namespace_id join vault v on v.receipt_id = m.receipt_id
  join entries e on e.chain = m.workspace_id and e.seq = m.seq`;

function readyMemories(tx: Transaction, after: string): Promise<ReadyMemory[]> {
  return tx.query<ReadyMemory>(
    `select ${columns} from (
       select *, sum(size) over (order by id) - size as before from (
         select m.* from ${ready} where m.id > $1 and j.memory_id > $1 order by m.id limit $2) page) m
       ${about} where m.before < $3 order by m.id`,
    [after, batchMemories, batchBytes],
  );
}

/**
 * Which of the memories are still there, and stay until the transaction ends. Without it one that is deleted between two
 * statements of `addDocuments` leaves its texts without a document.
 */
async function keepMemories(tx: Transaction, documents: readonly { memoryId: string }[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    'select id::text from memories where id = any($1::uuid[]) order by id for key share',
    [documents.map(({ memoryId }) => memoryId)],
  );
  return new Set(rows.map(({ id }) => id));
}

function readyMeanwhile(tx: Transaction, after: string): Promise<ReadyMemory[]> {
  return tx.query<ReadyMemory>(
    `select ${columns} from ${ready} ${about}
      where m.id > $1 and not exists (select 1 from search_documents d where d.memory_id = m.id) order by m.id limit 50`,
    [after],
  );
}

/**
 * The heads of all chains and the jobs that are not done. While both stay the same no memory is written, deleted or moved, and
 * none becomes ready.
 */
async function whatMayChange(tx: Transaction): Promise<string> {
  const [row] = await tx.query<{ state: string }>(
    `select concat(
       (select md5(string_agg(chain::text || head_seq, ',' order by chain)) from chains), ' ',
       (select md5(string_agg(job_id::text, ',' order by job_id)) from (
          select job_id from jobs where stage not in ('done', 'failed')
          union all select job_id from jobs where stage = 'failed') open)) as state`,
  );
  if (!row) throw new Error('the database gave no state');
  return row.state;
}

/** Deleted or moved. What was moved comes in again with what became ready. */
async function goneMeanwhile(tx: Transaction): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select d.memory_id::text as id from search_documents d
      where not exists (select 1 from memories m where m.id = d.memory_id and m.namespace_id = d.namespace_id)`,
  );
  return rows.map((row) => row.id);
}
