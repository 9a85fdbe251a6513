import type { Database, Row, Transaction } from '../../../src/adapters/database/database.js';
import type { Prepare } from '../../../src/domain/prepared.js';
import { namespaceRows } from '../../namespace/rows.js';
import type { OnProgress } from '../../projection.js';
import { countReady } from '../rebuild-rows.js';
import { tables } from '../tables.js';
import { listsFault } from './lists.js';
import { orphanPostings } from './orphan-postings.js';
import type { BlockRange, Embedder } from './parts.js';
import { countFault, misplacedDocument, orphanRow, wrongModel } from './rows-of-index.js';
import { textsFault } from './texts.js';
import { vectorCheck } from './vectors.js';

export interface SearchCheck {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly prepare: Prepare;
}

/**
 * Compares the search index with the memories that are ready, one range of documents after the other, and writes nothing.
 * For each text it computes again which rows the index must have, and compares them with the stored rows. Each read sees the
 * store as of one moment, so that concurrent writes are not taken for faults. Documents that are being added or removed are
 * not checked, because no search finds them.
 * @returns the first fault as a sentence, or null
 */
export async function searchFault(check: SearchCheck, onProgress: OnProgress): Promise<string | null> {
  const { database } = check;
  const early =
    (await database.read(missingTable)) ?? (await misplacedDocument(database)) ?? (await wrongModel(database));
  if (early !== null) return early;
  return (
    (await rangesFault(check, onProgress)) ??
    (await countFault(database)) ??
    (await orphanRow(database)) ??
    orphanPostings(database)
  );
}

async function rangesFault(check: SearchCheck, onProgress: OnProgress): Promise<string | null> {
  const { database, embedder, prepare } = check;
  const compareVectors = await database.read((tx) => areVectorsComparable(tx, embedder));
  const total = await database.read(countReady);
  let done = 0;
  const onDocuments = (count: number) => {
    done += count;
    onProgress(done, Math.max(done, total));
  };
  onDocuments(0);
  let compareListsOfLast: () => Promise<string | null> = async () => null;
  for (let range = await database.read((tx) => nextRange(tx, null)); range; ) {
    const vectors = compareVectors ? vectorCheck(database, embedder, range) : null;
    const current = range;
    // The database compares the lists of the previous range while this process works on the texts of the current one.
    const [texts, lists, next] = await Promise.all([
      textsFault({ database, prepare, vectors, onDocuments }, current),
      compareListsOfLast(),
      database.read((tx) => nextRange(tx, current)),
    ]);
    if (lists !== null || texts !== null) return lists ?? texts;
    compareListsOfLast = () => listsFault(database, current, vectors?.codes() ?? null);
    range = next;
  }
  const fault = await compareListsOfLast();
  onProgress(done, done);
  return fault;
}

async function missingTable(tx: Transaction): Promise<string | null> {
  const [missing] = await tx.query<{ name: string }>(
    'select name from unnest($1::text[]) with ordinality t(name, place) where to_regclass(name) is null order by place',
    [tables],
  );
  return missing ? `The table ${missing.name} is missing.` : null;
}

/**
 * An external model may give other vectors for the same text. While memories are embedded again after a change of the model,
 * some vectors are of the old model.
 */
async function areVectorsComparable(tx: Transaction, { model, repeatable }: Embedder): Promise<boolean> {
  // These are two ranges of the index on `model`. A condition with "<>" would read every row of the right model.
  const others = await tx.query(
    "select 1 from search_documents where (model > '' and model < $1) or model > $1 limit 1",
    [model],
  );
  return repeatable && others.length === 0;
}

/** The number of documents of a range, as a power of two: several blocks of postings and of codes. */
const rangeBits = 11;

interface FirstDocument extends Row {
  namespaceId: string;
  textConfig: string;
  place: number;
}

async function nextRange(tx: Transaction, after: BlockRange | null): Promise<BlockRange | null> {
  const [first] = await tx.query<FirstDocument>(
    `select d.namespace_id::text as "namespaceId", coalesce(n.text_config, 'simple') as "textConfig",
            d.seq >> ${rangeBits} as place
       from search_documents d left join ${namespaceRows} n on n.id = d.namespace_id
      where $1::uuid is null or (d.namespace_id, d.seq) >= ($1::uuid, $2::bigint)
      order by d.namespace_id, d.seq limit 1`,
    [after?.namespaceId ?? null, after?.to ?? 0],
  );
  if (!first) return null;
  const { place, ...namespace } = first;
  return { ...namespace, from: place * 2 ** rangeBits, to: (place + 1) * 2 ** rangeBits };
}
