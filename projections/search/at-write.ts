import type { Indexable, IndexableText, IndexableVector } from '../../contracts/entries/indexable.js';
import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { memoryRows } from '../memory/rows.js';
import { namespaceRows } from '../namespace/rows.js';
import { gather } from '../projection.js';
import { countingAdded } from './counts.js';
import { whoOf } from './facts.js';
import { insertPostings, type SearchDocument } from './index.js';
import { codesOf, insertCodes, numbersOf, storedChunks, writeVectors } from './vector-index.js';
import { countedOf, tokenParams, wordsOfParts } from './words.js';

/**
 * Indexes new memories in the transaction of their append, so that searches find them from the commit on. Words and vectors are computed
 * before the append (see src/workers/for-index.ts), because other writers of the workspace wait for this transaction. A memory without
 * them is indexed by its job. A replay never has them: the index is built again from the memories and not from entries.
 */
export const indexedAtWrite = gather({ 'memory.write': newDocuments }, addNewDocuments);

interface NewDocument extends Indexable {
  readonly memoryId: string;
}

function newDocuments({ entry, indexable }: RecordedOf<'memory.write'>): NewDocument[] {
  return indexable ? [{ ...indexable, memoryId: entry.body.memory_id }] : [];
}

/** The document in the form in which it can wait for the append. */
export function indexableText({
  model,
  parts,
  facts,
  chunks,
}: Pick<SearchDocument, 'model' | 'parts' | 'facts' | 'chunks'>): IndexableText {
  const stored = storedChunks([{ memoryId: '', model, chunks }]);
  const codes = codesOf(stored);
  const vectors = stored.flatMap((chunk, i): IndexableVector[] => {
    const code = codes[i];
    return code
      ? [{ ordinal: chunk.ordinal, key: chunk.key, numbers: numbersOf(chunk), width: code.width, code: code.code }]
      : [];
  });
  return { model, parts, facts, vectors };
}

/**
 * Adds documents that cannot be in the index yet, in two statements for any number of them: what the second one adds follows from the
 * rows of the first. They are sent together, so no one waits for the answer in between. The rows of the namespaces are locked before
 * any list is changed, and in the order of ids, as `addDocuments` does it: two writers of a namespace, of which one may make its first
 * row, come one after the other.
 */
async function addNewDocuments(tx: Transaction, docs: readonly NewDocument[]): Promise<void> {
  const ids = docs.map(({ memoryId }) => memoryId);
  const vectors = docs.flatMap(({ memoryId, vectors: own }) => own.map((vector) => ({ memoryId, ...vector })));
  await Promise.all([
    insertDocuments(tx, docs),
    insertPostings(tx, ids),
    writeVectors(tx, vectors),
    insertCodes(tx, vectors),
  ]);
}

/** A memory that was deleted in the same append has no row any more, and is left out of this and the statements behind it. */
async function insertDocuments(tx: Transaction, docs: readonly NewDocument[]): Promise<void> {
  const parts = docs.flatMap(({ memoryId, parts: own }) => own.map((tokens, part) => ({ memoryId, part, tokens })));
  await tx.query(
    `with ${wordsOfParts(`select m.id, p.part, n.text_config as config, p.number
         from unnest((select $1::uuid[]), (select $2::integer[])) with ordinality p(id, part, number)
         join ${memoryRows} m on m.id = p.id join ${namespaceRows} n on n.id = m.namespace_id`)},
     texts as (insert into search_texts (memory_id, part, words) select id, part, words from parts),
     lengths as (
       select p.id, coalesce(sum(${countedOf('u.weights')}), 0) as length
         from parts p left join lateral unnest(p.words) u on true group by 1),
     documents as (
       insert into search_documents (memory_id, namespace_id, seq, length, asks, says_when, who, model)
       select m.id, m.namespace_id, m.seq, l.length, d.asks, d.says_when, ${whoOf('d.speaker', 'm.namespace_id')}, d.model
         from unnest((select $3::uuid[]), (select $8::boolean[]), (select $9::boolean[]), (select $10::text[]), (select $11::text[]))
              d(id, asks, says_when, speaker, model)
         join ${memoryRows} m on m.id = d.id join lengths l on l.id = d.id
       returning namespace_id, seq, length),
     ${countingAdded('documents')}`,
    [
      parts.map(({ memoryId }) => memoryId),
      parts.map(({ part }) => part),
      docs.map(({ memoryId }) => memoryId),
      ...tokenParams(parts.map(({ tokens }) => tokens)),
      docs.map(({ facts }) => facts.asks),
      docs.map(({ facts }) => facts.saysWhen),
      docs.map(({ facts }) => facts.speaker),
      docs.map(({ model }) => model),
    ],
  );
}
