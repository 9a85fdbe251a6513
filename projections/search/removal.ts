import type { Row, Transaction } from '../../src/adapters/database/database.js';
import { memoryRows } from '../memory/rows.js';
import { lockNamespaces, postingBits, postingWidth, type Removed, removeEntries, termOf } from './blocks.js';
import { hideDocuments, removeDocuments } from './index.js';
import { type Step, stepWith, unfinished } from './step.js';
import { removeCodes } from './vector-index.js';
import { removeVectorsInSteps } from './vector-steps.js';

/**
 * What a deleted memory leaves in the index is removed at once only where it is little. A large document, or many, would
 * hold everybody up: the append only hides it, so that nothing finds it and it is counted nowhere, and it is taken apart in
 * many short transactions afterwards. Every step may be done twice, so after a killed process the next one continues.
 */

/** Of what is removed at once. A tenth of a second on the embedded database. */
const atOnce = { documents: 20, words: 2000 };
/** Of one step, at most: lists of words, and bytes of these lists. */
const perStep = { terms: 1000, bytes: 2 * 1024 * 1024 };

/** A document in the index that nothing finds any more. */
export interface Hidden extends Row {
  readonly memoryId: string;
  readonly namespaceId: string;
  readonly seq: number;
  /** How many words it has; 0 when it was never finished. */
  readonly length: number;
}

const columns = `memory_id::text as "memoryId", namespace_id::text as "namespaceId", seq, length`;

/** Takes memories out of the index as far as that is done quickly, and hides the rest of them. */
export async function dropDocuments(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  const found = await tx.query<Hidden>(`select ${columns} from search_documents where memory_id = any($1::uuid[])`, [
    memoryIds,
  ]);
  const ids = found.map(({ memoryId }) => memoryId);
  if (areSmall(found)) await removeDocuments(tx, ids);
  else await hideDocuments(tx, ids);
}

function areSmall(documents: readonly Hidden[]): boolean {
  const words = documents.reduce((sum, { length }) => sum + length, 0);
  const finished = documents.every(({ length }) => length > 0);
  return finished && documents.length <= atOnce.documents && words <= atOnce.words;
}

/** Hidden, of a memory that is gone, or is in another namespace now, where its job adds it again. */
const isLeft = `d.model = '${unfinished}'
  and not exists (select 1 from ${memoryRows} m where m.id = d.memory_id and m.namespace_id = d.namespace_id)`;

/** Some of the documents that are left to be removed. */
export function leftDocuments(tx: Transaction): Promise<Hidden[]> {
  return tx.query<Hidden>(
    `select ${columns} from search_documents d where ${isLeft} order by d.memory_id limit ${atOnce.documents}`,
  );
}

/** Those of them that are of these memories. */
export function leftOf(tx: Transaction, memoryIds: readonly string[]): Promise<Hidden[]> {
  return tx.query<Hidden>(
    `select ${columns} from search_documents d where d.memory_id = any($1::uuid[]) and ${isLeft} order by d.memory_id`,
    [memoryIds],
  );
}

export async function leftAmong(tx: Transaction, memoryIds: readonly string[]): Promise<string[]> {
  return (await leftOf(tx, memoryIds)).map(({ memoryId }) => memoryId);
}

/** The documents that a moved memory has left in its former namespace. */
export function hiddenElsewhere(tx: Transaction, memoryId: string, namespaceId: string): Promise<Hidden[]> {
  return tx.query<Hidden>(
    `select ${columns} from search_documents where memory_id = $1 and model = $2 and namespace_id <> $3`,
    [memoryId, unfinished, namespaceId],
  );
}

/** Documents that go in one step each: several small ones, or a large one that is taken apart. */
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
 * Removes documents that are left, in one step if they are small.
 * @param last runs the last of the steps
 * @returns false when the caller has no right to it any more
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

/** @returns false when it was not run to its end: the caller has lost the right to it, or the document is not left there */
export async function removeInSteps(document: Hidden, step: Step, last: Step = step): Promise<boolean> {
  const ifLeft =
    (run: Step): Step =>
    (work) =>
      run(async (tx) => (await lockLeft(tx, document)) && work(tx));
  const whileLeft = ifLeft(step);
  // The vectors say what codes there are, so codes go before the first of these.
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
      `delete from search_namespaces n where namespace_id = $1 and documents = 0
         and not exists (select 1 from search_documents d where d.namespace_id = n.namespace_id)`,
      [document.namespaceId],
    );
    return true;
  });
}

/**
 * Makes other writers of the namespace wait.
 * @returns whether the document is still left there: a memory may be moved back, and then its job continues with what there is
 */
async function lockLeft(tx: Transaction, { memoryId, namespaceId }: Hidden): Promise<boolean> {
  await tx.query('select 1 from search_namespaces where namespace_id = $1 for update', [namespaceId]);
  const found = await tx.query(
    `select 1 from search_documents d where d.memory_id = $1 and d.namespace_id = $2 and ${isLeft}`,
    [memoryId, namespaceId],
  );
  return found.length > 0;
}

/** A new version of the namespace's row. It makes searches look again at what they remember. */
const changed = (tx: Transaction, { namespaceId }: Hidden) =>
  tx.query('update search_namespaces set documents = documents where namespace_id = $1', [namespaceId]);

interface Posting extends Row {
  term: string;
  bytes: number;
}

/** Part by part: its lists first, and then the text that says which lists these are. */
async function removeWords(document: Hidden, step: Step): Promise<boolean> {
  const removed = new Set<string>();
  for (;;) {
    const next = await stepWith(step, (tx) => nextPart(tx, document));
    if (!next) return false;
    const { part, postings } = next;
    if (part === null) return true;
    for (const group of groupsOf(postings.filter(({ term }) => !removed.has(term)))) {
      if (!(await step((tx) => removePostings(tx, document, group)))) return false;
      for (const term of group) removed.add(term);
    }
    const gone = await step(async (tx) => {
      await tx.query('delete from search_texts where memory_id = $1 and part = $2', [document.memoryId, part]);
      return true;
    });
    if (!gone) return false;
  }
}

/** A part of the text that is still there, with the lists that hold its words and how long these are. */
async function nextPart(tx: Transaction, { memoryId, namespaceId, seq }: Hidden) {
  const [row] = await tx.query<{ part: number }>(
    'select part from search_texts where memory_id = $1 order by part limit 1',
    [memoryId],
  );
  if (!row) return { part: null, postings: [] };
  const postings = await tx.query<Posting>(
    `select p.term::text, octet_length(p.entries) as bytes
       from (select ${termOf('u.lexeme', '$3')} as term
               from search_texts s cross join unnest(s.words) u where s.memory_id = $1 and s.part = $2) t
      cross join lateral (select * from search_postings where term = t.term and block = $4 offset 0) p
      order by p.term`,
    [memoryId, row.part, namespaceId, blockOf(seq)],
  );
  return { part: row.part, postings };
}

const blockOf = (seq: number): number => Math.floor(seq / 2 ** postingBits);

function groupsOf(postings: readonly Posting[]): string[][] {
  const groups: string[][] = [];
  let room = 0;
  for (const { term, bytes } of postings) {
    const group = groups.at(-1);
    if (group && group.length < perStep.terms && bytes <= room) group.push(term);
    else {
      groups.push([term]);
      room = perStep.bytes;
    }
    room -= bytes;
  }
  return groups;
}

async function removePostings(tx: Transaction, { seq }: Hidden, terms: readonly string[]): Promise<boolean> {
  const [block, offset] = [blockOf(seq), seq % 2 ** postingBits];
  // Most words of a large text are in no other memory of their block, and then the whole list goes.
  const alone = await tx.query<{ term: string }>(
    `delete from search_postings p using unnest($1::bigint[]) t(term)
      where p.term = t.term and p.block = $2 and octet_length(p.entries) = ${postingWidth}
        and substr(p.entries, 1, 2) = int2send($3::smallint) returning p.term::text`,
    [terms, block, offset],
  );
  const done = new Set(alone.map(({ term }) => term));
  const shared = terms
    .filter((term) => !done.has(term))
    .map((key): Removed => ({ key, block, width: postingWidth, offsets: [offset] }));
  await removeEntries(tx, { name: 'search_postings', key: 'term' }, shared);
  return true;
}
