import type { Transaction } from '../../src/database/database.js';
import { memoryRows } from '../memory/rows.js';
import { mergedEntries, postingBits, termOf } from './blocks.js';
import { bucketOf, buckets, lastBucket, lengthOf, placeOf, postingOf, postingWidth } from './buckets.js';
import { countingAdded, everything } from './counts.js';
import type { SearchDocument } from './document.js';
import { whoOf } from './facts.js';
import { removeDocuments } from './index.js';
import { hiddenElsewhere, removeInSteps } from './removal.js';
import { lockNamespace } from './sealing.js';
import { type Step, stepWith, unfinished } from './step.js';
import { type CodedChunk, insertCodes } from './vector-index.js';
import { insertVectorsInSteps } from './vector-steps.js';
import { countedOf, insertWords } from './words.js';

/**
 * A large document is added in several transactions, so that other requests can run between them. Until the last transaction
 * the document is unfinished: no search finds it, it is not counted among the documents of its namespace, and it may be
 * removed like any other document. Every step may be repeated, so after a killed process the next one starts from the
 * beginning without removing anything first.
 */

/** The number of postings that are written in one transaction: 25 to 50 ms on the embedded database. */
const termsPerStep = 1000;

/** The data of a document that is written only in the last transaction: the number of its words, and the codes of its vectors. */
interface Added {
  readonly length: number;
  readonly codes: readonly CodedChunk[];
}

/**
 * Adds everything except the data by which searches find the document.
 * @returns the argument for `finishDocument`; null when the caller lost the right to the document, or it was removed meanwhile
 */
export async function addInSteps(doc: SearchDocument, step: Step): Promise<Added | null> {
  if (!(await removeElsewhere(doc, step)) || !(await step((tx) => begin(tx, doc)))) return null;
  const whileThere: Step = (work) => step(async (tx) => (await lockUnfinished(tx, doc)) && work(tx));
  // By bucket, so that one step writes few buckets, and each bucket is written in one or two steps.
  const frequencies = Array.from({ length: buckets }, () => new Map<string, number>());
  let length = 0;
  for (const [part, tokens] of doc.parts.entries()) {
    const added = await whileThere(async (tx) => {
      const { memoryId, textConfig } = doc;
      await insertWords(tx, { memoryId, part, textConfig, tokens });
      const terms = await termsOfPart(tx, doc, part);
      length += terms.reduce((sum, { counted }) => sum + counted, 0);
      for (const { term, frequency } of terms) {
        const inBucket = frequencies[placeOf(term)];
        inBucket?.set(term, (inBucket.get(term) ?? 0) + frequency);
      }
      return true;
    });
    if (!added) return null;
  }
  const terms = frequencies.flatMap((inBucket) => [...inBucket]);
  // A text without any words has a length all the same, so there is at least one step.
  for (let at = 0; at === 0 || at < terms.length; at += termsPerStep) {
    const some = terms.slice(at, at + termsPerStep);
    if (!(await whileThere((tx) => addPostings(tx, doc, some, length)))) return null;
  }
  const codes = await insertVectorsInSteps(doc, whileThere);
  return codes && { length, codes };
}

/** Makes searches find a document that was added in steps. @returns false when it was removed from the index meanwhile */
export async function finishDocument(tx: Transaction, doc: SearchDocument, { length, codes }: Added): Promise<boolean> {
  if (!(await lockUnfinished(tx, doc))) return false;
  await insertCodes(tx, codes);
  await tx.query('update search_documents set length = $2, model = $3 where memory_id = $1', [
    doc.memoryId,
    length,
    doc.model,
  ]);
  await tx.query(
    `with ${countingAdded('(select namespace_id, seq, $2::bigint as length from search_documents where memory_id = $1) d', 'blocks')} select`,
    [doc.memoryId, length],
  );
  return true;
}

/** Removes the rows of a moved memory in its old namespace. */
async function removeElsewhere({ memoryId, namespaceId }: SearchDocument, step: Step): Promise<boolean> {
  const found = await stepWith(step, (tx) => hiddenElsewhere(tx, memoryId, namespaceId));
  const [other] = found ?? [];
  return found !== null && (!other || removeInSteps(other, step));
}

async function begin(tx: Transaction, { memoryId, namespaceId, facts }: SearchDocument): Promise<boolean> {
  const finished = await tx.query('select 1 from search_documents where memory_id = $1 and model <> $2', [
    memoryId,
    unfinished,
  ]);
  if (finished.length > 0) await removeDocuments(tx, [memoryId]);
  await tx.query('insert into search_namespaces values ($1, 0, 0, $2) on conflict do nothing', [
    namespaceId,
    everything,
  ]);
  await lockNamespace(tx, namespaceId);
  await tx.query(
    `insert into search_documents (memory_id, namespace_id, seq, length, asks, says_when, who, model)
     select m.id, $2, m.seq, 0, $4, $5, ${whoOf('$6::text', '$2::uuid')}, $3 from ${memoryRows} m where m.id = $1 on conflict do nothing`,
    [memoryId, namespaceId, unfinished, facts.asks, facts.saysWhen, facts.speaker],
  );
  // An embedder may give other vectors for the same text. The vectors that an earlier attempt has left have no codes yet.
  await tx.query('delete from search_vectors where memory_id = $1', [memoryId]);
  return true;
}

/** Makes other writers of the namespace wait. @returns whether the document is still in the index and unfinished */
async function lockUnfinished(tx: Transaction, { memoryId, namespaceId }: SearchDocument): Promise<boolean> {
  await lockNamespace(tx, namespaceId);
  const found = await tx.query(
    'select 1 from search_documents where memory_id = $1 and namespace_id = $2 and model = $3',
    [memoryId, namespaceId, unfinished],
  );
  return found.length > 0;
}

function termsOfPart(tx: Transaction, { memoryId, namespaceId }: SearchDocument, part: number) {
  return tx.query<{ term: string; frequency: number; counted: number }>(
    `select ${termOf('u.lexeme', '$3')}::text as term, cardinality(u.positions) as frequency,
            ${countedOf('u.weights')} as counted
       from search_texts s cross join unnest(s.words) u where s.memory_id = $1 and s.part = $2`,
    [memoryId, part, namespaceId],
  );
}

async function addPostings(
  tx: Transaction,
  { memoryId }: SearchDocument,
  terms: readonly (readonly [string, number])[],
  length: number,
): Promise<boolean> {
  await tx.query(
    `insert into search_postings as p (bucket, block, entries)
     select bucket, block, string_agg(entry, ''::bytea order by entry)
       from (select ${bucketOf('t.term', 'd.namespace_id')} as bucket, d.seq >> ${postingBits} as block,
                    ${postingOf('t.term', 'd.seq', 't.frequency')} as entry
               from search_documents d cross join unnest($2::bigint[], $3::bigint[]) t(term, frequency)
              where d.memory_id = $1
             union all
             select ${lastBucket('namespace_id')}, seq >> ${postingBits}, ${lengthOf('seq', '$4')}
               from search_documents where memory_id = $1) e
      group by 1, 2 order by 1, 2
     on conflict (bucket, block) do update
        set entries = ${mergedEntries('p.entries', 'excluded.entries', postingWidth, 'distinct')}`,
    [memoryId, terms.map(([term]) => term), terms.map(([, frequency]) => frequency), length],
  );
  return true;
}
