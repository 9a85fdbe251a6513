import type { Row, Transaction } from '../../src/database/database.js';
import { entryRows, vaultRows } from '../../src/ledger/rows.js';
import { memoryRows } from '../memory/rows.js';
import { namespaceRows } from '../namespace/rows.js';
import { rewriting } from './counts.js';
import { lockNamespaces } from './sealing.js';
import { type Step, unfinished, withoutVectors } from './step.js';
import { addVectors, insertCodes, removeCodes, removeVectors, type VectorDocument } from './vector-index.js';
import { insertVectorsInSteps, removeVectorsInSteps } from './vector-steps.js';

/**
 * A memory that has no vectors of the model in use: those of another model, or none yet. It has the fields that prove that its text
 * is the one that was written.
 */
export interface Outdated extends Row {
  memoryId: string;
  namespaceId: string;
  textConfig: string;
  receipt_id: string;
  receipt_hash: string;
  entry: Uint8Array;
  salt: Uint8Array;
  content: string;
  metadata: string;
  source: string | null;
  label: string | null;
}

/** Whether the namespaces hold a memory whose vectors are of another model. */
export async function anyOfOtherModels(
  tx: Transaction,
  namespaceIds: readonly string[],
  model: string,
): Promise<boolean> {
  const rows = await tx.query(
    // These are two ranges of the index on `model`. A condition with "<>" would read every row of the right model. Documents
    // that are still being added have no model.
    `select 1 from search_documents where ((model > '' and model < $2) or model > $2) and namespace_id = any($1::uuid[]) limit 1`,
    [namespaceIds, model],
  );
  return rows.length > 0;
}

/** SQL: the document has no vectors of the model, and is neither being added nor hidden. These are ranges of an index. */
export const isOutdated = (model: string): string => `((d.model > '' and d.model < ${model}) or d.model > ${model})`;

/** How many memories have no vectors of the model, up to `most`. */
export async function countOutdated(tx: Transaction, model: string, most: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from (select 1 from search_documents d where ${isOutdated('$1')} limit $2) outdated`,
    [model, most],
  );
  return row?.count ?? 0;
}

/** Whether a memory was indexed while the embedder was away, and has no vectors yet. */
export async function anyWithoutVectors(tx: Transaction): Promise<boolean> {
  const rows = await tx.query('select 1 from search_documents where model = $1 limit 1', [withoutVectors]);
  return rows.length > 0;
}

/** The number of components of the stored vectors of a model; null if there are none. */
export async function sizeOfVectors(tx: Transaction, model: string): Promise<number | null> {
  const [row] = await tx.query<{ size: number }>(
    `select vector_dims(v.embedding) as size from search_documents d join search_vectors v using (memory_id)
      where d.model = $1 limit 1`,
    [model],
  );
  return row?.size ?? null;
}

/** Documents whose vectors one step gives up. */
const givenUpPerStep = 1000;

/**
 * Gives up the vectors that some memories have of a model, because its vectors have another size now. They stay stored until the
 * memory is embedded again, and no search compares them with vectors of the new size.
 * @returns whether there may be more
 */
export async function giveUpVectors(tx: Transaction, model: string): Promise<boolean> {
  const rows = await tx.query(
    `update search_documents set model = $2 where memory_id in (select memory_id from search_documents
      where model = $1 limit ${givenUpPerStep} for update skip locked) returning 1`,
    [model, withoutVectors],
  );
  return rows.length > 0;
}

interface OutdatedPage {
  readonly limit: number;
  readonly bytes: number;
  /** Memories that are left out. */
  readonly except: readonly string[];
}

/**
 * Some memories without vectors of the model, in the order of ids after `after`: at most `limit`, with about `bytes` of text
 * together.
 */
export function outdatedDocuments(
  tx: Transaction,
  model: string,
  after: string | null,
  { limit, bytes, except }: OutdatedPage,
): Promise<Outdated[]> {
  return tx.query<Outdated>(
    `select d.memory_id::text as "memoryId", d.namespace_id::text as "namespaceId", n.text_config as "textConfig",
            m.receipt_id, m.receipt_hash, e.bytes as entry, v.salt, v.content, v.metadata, v.source, v.label
       from (select p.*, sum(m.size) over (order by p.memory_id) - m.size as before from (
               select d.memory_id, d.namespace_id from search_documents d
                where ${isOutdated('$1')} and ($2::uuid is null or d.memory_id > $2::uuid) and d.memory_id <> all($5::uuid[])
                order by d.memory_id limit $3) p join ${memoryRows} m on m.id = p.memory_id) d
       join ${memoryRows} m on m.id = d.memory_id join ${vaultRows} v on v.receipt_id = m.receipt_id
       join ${entryRows} e on e.chain = m.workspace_id and e.seq = m.seq join ${namespaceRows} n on n.id = d.namespace_id
      where d.before < $4 order by d.memory_id`,
    [model, after, limit, bytes, except],
  );
}

/** Vectors of a document that are written in one transaction. */
const vectorsPerStep = 64;

/**
 * Replaces the vectors of documents with those of another model. A document with many vectors is replaced in several steps.
 * Documents that are deleted or moved meanwhile are skipped, and a document that is not finished keeps its old model.
 */
export async function replaceVectors(docs: readonly VectorDocument[], step: Step): Promise<void> {
  let group: VectorDocument[] = [];
  let room = vectorsPerStep;
  for (const doc of [...docs].sort((a, b) => a.chunks.length - b.chunks.length)) {
    if (doc.chunks.length > vectorsPerStep) {
      await replaceInSteps(doc, step);
      continue;
    }
    if (doc.chunks.length > room) {
      await replaceAtOnce(group, step);
      group = [];
      room = vectorsPerStep;
    }
    group.push(doc);
    room -= doc.chunks.length;
  }
  if (group.length > 0) await replaceAtOnce(group, step);
}

function replaceAtOnce(docs: readonly VectorDocument[], step: Step): Promise<boolean> {
  return step(async (tx) => {
    const found = await lockFinished(
      tx,
      docs.map((doc) => doc.memoryId),
    );
    await removeVectors(tx, [...found]);
    const current = docs.filter(({ memoryId }) => found.has(memoryId));
    await addVectors(tx, current);
    await setModels(tx, current);
    return true;
  });
}

/**
 * Until the last step, searches by vectors do not find the document, because they find only documents with vectors of their
 * model.
 */
async function replaceInSteps(doc: VectorDocument, step: Step): Promise<boolean> {
  const { memoryId } = doc;
  const whileThere: Step = (work) =>
    step(async (tx) => (await lockFinished(tx, [memoryId])).has(memoryId) && (await work(tx)));
  // Codes are found through their vectors, so all codes are removed before the first vector.
  const begun = await whileThere(async (tx) => {
    await removeCodes(tx, [memoryId]);
    return true;
  });
  if (!begun || !(await removeVectorsInSteps(memoryId, whileThere))) return false;
  const codes = await insertVectorsInSteps(doc, whileThere);
  if (!codes) return false;
  return whileThere(async (tx) => {
    await insertCodes(tx, codes);
    await setModels(tx, [doc]);
    return true;
  });
}

/** Makes other writers of the namespaces wait. @returns the memories that are in the index and not hidden */
async function lockFinished(tx: Transaction, ids: readonly string[]): Promise<Set<string>> {
  await lockNamespaces(tx, ids);
  // By this searches notice that codes have changed.
  await tx.query(rewriting('search_documents where memory_id = any($1::uuid[])'), [ids]);
  const rows = await tx.query<{ id: string }>(
    'select memory_id::text as id from search_documents where memory_id = any($1::uuid[]) and model <> $2',
    [ids, unfinished],
  );
  return new Set(rows.map(({ id }) => id));
}

async function setModels(tx: Transaction, docs: readonly VectorDocument[]): Promise<void> {
  await tx.query(
    `update search_documents s set model = d.model from unnest($1::uuid[], $2::text[]) d(id, model)
      where s.memory_id = d.id`,
    [docs.map((doc) => doc.memoryId), docs.map((doc) => doc.model)],
  );
}
