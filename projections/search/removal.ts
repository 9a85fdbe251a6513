import { inGroups } from '../../src/base/groups.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { memoryRows } from '../memory/rows.js';
import { postingBits, type Removed, removeEntries } from './blocks.js';
import { firstBucket, lastBucket, postingWidth } from './buckets.js';
import { removingEmpty, rewriting } from './counts.js';
import { hideDocuments, removeDocuments, removeFound } from './index.js';
import { lockNamespace, lockNamespaces } from './sealing.js';
import { type Step, stepWith, unfinished } from './step.js';
import { removeCodes } from './vector-index.js';
import { removeVectorsInSteps } from './vector-steps.js';

/**
 * The rows of a deleted memory in the index are removed in the same transaction only if they are few. The removal of a large
 * document, or of many, would make all other requests wait. The append only hides such a document, so that no search finds or
 * counts it, and a worker removes it afterwards in many short transactions. Every step may be repeated, so if a process is
 * killed the next one continues.
 */

/** The most that is removed in one transaction: a tenth of a second on the embedded database. */
const atOnce = { documents: 20, words: 2000 };
/** The most that one step changes: posting lists, and the bytes of these lists. */
const perStep = { lists: 64, bytes: 512 * 1024 };

/** A document in the index that no search finds any more. */
interface Hidden extends Row {
  readonly memoryId: string;
  readonly namespaceId: string;
  readonly seq: number;
  /** The number of its words; 0 if the document was never finished. */
  readonly length: number;
}

const columns = `memory_id::text as "memoryId", namespace_id::text as "namespaceId", seq, length`;

/** Removes memories from the index if that is quick, and hides them otherwise. */
export async function dropDocuments(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  const found = await tx.query<Hidden>(`select ${columns} from search_documents where memory_id = any($1::uuid[])`, [
    memoryIds,
  ]);
  const ids = found.map(({ memoryId }) => memoryId);
  if (ids.length === 0) return;
  if (areSmall(found)) await removeFound(tx, ids);
  else await hideDocuments(tx, ids);
}

function areSmall(documents: readonly Hidden[]): boolean {
  const words = documents.reduce((sum, { length }) => sum + length, 0);
  const finished = documents.every(({ length }) => length > 0);
  return finished && documents.length <= atOnce.documents && words <= atOnce.words;
}

/** SQL for hidden documents whose memory was deleted, or is in another namespace now, where its job adds it again. */
export const isLeft = `d.model = '${unfinished}'
  and not exists (select 1 from ${memoryRows} m where m.id = d.memory_id and m.namespace_id = d.namespace_id)`;

/** Some of the hidden documents that must still be removed. */
export function leftDocuments(tx: Transaction): Promise<Hidden[]> {
  return tx.query<Hidden>(
    `select ${columns} from search_documents d where ${isLeft} order by d.memory_id limit ${atOnce.documents}`,
  );
}

/** The hidden documents of these memories that must still be removed. */
export function leftOf(tx: Transaction, memoryIds: readonly string[]): Promise<Hidden[]> {
  return tx.query<Hidden>(
    `select ${columns} from search_documents d where d.memory_id = any($1::uuid[]) and ${isLeft} order by d.memory_id`,
    [memoryIds],
  );
}

export async function leftAmong(tx: Transaction, memoryIds: readonly string[]): Promise<string[]> {
  return (await leftOf(tx, memoryIds)).map(({ memoryId }) => memoryId);
}

/** The hidden document of a moved memory in the namespace that the memory was in before. */
export function hiddenElsewhere(tx: Transaction, memoryId: string, namespaceId: string): Promise<Hidden[]> {
  return tx.query<Hidden>(
    `select ${columns} from search_documents where memory_id = $1 and model = $2 and namespace_id <> $3`,
    [memoryId, unfinished, namespaceId],
  );
}

/** Groups documents for removal: several small documents are removed in one step, and a large one in several steps. */
export function removalGroups(documents: readonly Hidden[]): Hidden[][] {
  const groups: Hidden[][] = [];
  for (const document of documents) {
    const group = groups.at(-1);
    if (group && areSmall([...group, document])) group.push(document);
    else groups.push([document]);
  }
  return groups;
}

/**
 * Removes hidden documents, in one step if they are small.
 * @param last runs the last of the steps
 * @returns false when the caller no longer has the right to remove them
 */
export function removeLeft(group: readonly Hidden[], step: Step, last: Step = step): Promise<boolean> {
  const [only] = group;
  if (only && !areSmall(group)) return removeInSteps(only, step, last);
  const ids = group.map(({ memoryId }) => memoryId);
  return last(async (tx) => {
    await lockNamespaces(tx, ids);
    await removeDocuments(tx, await leftAmong(tx, ids));
    return true;
  });
}

/** @returns false when it did not finish, because the caller lost the right to do it or the document is not hidden any more */
export async function removeInSteps(document: Hidden, step: Step, last: Step = step): Promise<boolean> {
  const ifLeft =
    (run: Step): Step =>
    (work) =>
      run(async (tx) => (await lockLeft(tx, document)) && work(tx));
  const whileLeft = ifLeft(step);
  // Codes are found through their vectors, so all codes are removed before the first vector.
  const begun = await whileLeft(async (tx) => {
    await removeCodes(tx, [document.memoryId]);
    await changed(tx, document);
    return true;
  });
  if (!begun || !(await removeVectorsInSteps(document.memoryId, whileLeft))) return false;
  if (!(await removeWords(document, whileLeft))) return false;
  return ifLeft(last)(async (tx) => {
    await tx.query('delete from search_documents where memory_id = $1', [document.memoryId]);
    await changed(tx, document);
    await tx.query(
      removingEmpty(`namespace_id = $1
         and not exists (select 1 from search_documents d where d.namespace_id = n.namespace_id)`),
      [document.namespaceId],
    );
    return true;
  });
}

/**
 * Makes other writers of the namespace wait.
 * @returns whether the document must still be removed: a memory may be moved back, and then its job uses the existing rows
 */
async function lockLeft(tx: Transaction, { memoryId, namespaceId }: Hidden): Promise<boolean> {
  await lockNamespace(tx, namespaceId);
  const found = await tx.query(
    `select 1 from search_documents d where d.memory_id = $1 and d.namespace_id = $2 and ${isLeft}`,
    [memoryId, namespaceId],
  );
  return found.length > 0;
}

/** Makes searches read the index of the namespace again. */
const changed = (tx: Transaction, { namespaceId }: Hidden) =>
  tx.query(rewriting('(values ($1::uuid)) n(namespace_id)'), [namespaceId]);

/** The same for memories that pass other filters from now on. */
export async function noteChanged(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  await lockNamespaces(tx, memoryIds);
  await tx.query(rewriting('search_documents where memory_id = any($1::uuid[])'), [memoryIds]);
}

/** The postings are removed before the texts, which a step that is repeated does not need. */
async function removeWords(document: Hidden, step: Step): Promise<boolean> {
  const lists = await stepWith(step, (tx) => listsOf(tx, document));
  if (!lists) return false;
  for (const group of groupsOf(lists)) {
    if (!(await step((tx) => removePostings(tx, document, group)))) return false;
  }
  return removeTexts(document, step);
}

interface List extends Row {
  bucket: string;
  bytes: number;
}

/** All lists of the document's namespace in its block: a large text has words in most of them. */
function listsOf(tx: Transaction, { namespaceId, seq }: Hidden): Promise<List[]> {
  return tx.query<List>(
    `select bucket::text, octet_length(entries) as bytes from search_postings
      where bucket between ${firstBucket('$1::uuid')} and ${lastBucket('$1::uuid')} and block = $2 order by search_postings.bucket`,
    [namespaceId, blockOf(seq)],
  );
}

const blockOf = (seq: number): number => Math.floor(seq / 2 ** postingBits);

const groupsOf = (lists: readonly List[]): string[][] =>
  inGroups(lists, ({ bytes }) => bytes, { size: perStep.bytes, items: perStep.lists }).map((group) =>
    group.map(({ bucket }) => bucket),
  );

async function removePostings(tx: Transaction, { seq }: Hidden, keys: readonly string[]): Promise<boolean> {
  const offsets = [seq % 2 ** postingBits];
  const removals = keys.map((key): Removed => ({ key, block: blockOf(seq), width: postingWidth, offsets }));
  await removeEntries(tx, { name: 'search_postings', key: 'bucket' }, removals);
  return true;
}

/** Part by part, because a part has up to a MiB. */
async function removeTexts({ memoryId }: Hidden, step: Step): Promise<boolean> {
  for (;;) {
    const removed = await stepWith(step, (tx) =>
      tx.query(
        `delete from search_texts where (memory_id, part) in
           (select memory_id, part from search_texts where memory_id = $1 order by part limit 1) returning 1`,
        [memoryId],
      ),
    );
    if (removed === null) return false;
    if (removed.length === 0) return true;
  }
}
