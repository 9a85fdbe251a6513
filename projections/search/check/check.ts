import type { OnFault } from '../../../src/base/faults.js';
import type { Database, Row, Transaction } from '../../../src/database/database.js';
import type { Prepare } from '../../../src/domain/prepared.js';
import { namespaceRows } from '../../namespace/rows.js';
import type { OnProgress } from '../../projection.js';
import { countReady } from '../rebuild-rows.js';
import { tables } from '../tables.js';
import { checkLists } from './lists.js';
import { orphanPostings } from './orphan-postings.js';
import type { BlockRange, Embedder } from './parts.js';
import { recentRows } from './recent-rows.js';
import { countFaults, misplacedDocuments, orphanRows, wrongModels } from './rows-of-index.js';
import { checkTexts } from './texts.js';

interface SearchCheck {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly prepare: Prepare;
  readonly found: OnFault;
}

/**
 * Compares the search index with the memories that are ready, one range of documents after the other, and writes nothing.
 * For each text it makes the rows that a rebuild would write, and compares them with the stored rows. Each read sees the
 * store as of one moment, so that concurrent writes are not taken for faults. Documents that are being added or removed are
 * not checked, because no search finds them.
 */
export async function checkSearchIndex(check: SearchCheck, onProgress: OnProgress): Promise<void> {
  const { database, found } = check;
  const missing = await database.read(missingTables);
  for (const name of missing) found(name, `The table ${name} is missing.`);
  // Every statement of the check names all tables.
  if (missing.length > 0) return;
  await misplacedDocuments(database, found);
  await wrongModels(database, found);
  await recentRows(database, found);
  await checkRanges(check, onProgress);
  await countFaults(database, found);
  await orphanRows(database, found);
  await orphanPostings(database, found);
}

async function checkRanges(check: SearchCheck, onProgress: OnProgress): Promise<void> {
  const { database, embedder, prepare, found } = check;
  const compareVectors = await database.read((tx) => areVectorsComparable(tx, embedder));
  const total = await database.read(countReady);
  let done = 0;
  const onDocuments = (count: number) => {
    done += count;
    onProgress(done, Math.max(done, total));
  };
  onDocuments(0);
  const texts = { database, prepare, embedder: compareVectors ? embedder : null, onDocuments, found };
  let compareListsOfLast: () => Promise<void> = async () => undefined;
  for (let range = await database.read((tx) => nextRange(tx, null)); range; ) {
    const current = range;
    // The database compares the lists of the previous range while this process works on the texts of the current one.
    const [expected, , next] = await Promise.all([
      checkTexts(texts, current),
      compareListsOfLast(),
      database.read((tx) => nextRange(tx, current)),
    ]);
    compareListsOfLast = () => checkLists(database, { range: current, expected, compareCodes: compareVectors, found });
    range = next;
  }
  await compareListsOfLast();
  onProgress(done, done);
}

async function missingTables(tx: Transaction): Promise<string[]> {
  const missing = await tx.query<{ name: string }>(
    'select name from unnest($1::text[]) with ordinality t(name, place) where to_regclass(name) is null order by place',
    [tables],
  );
  return missing.map(({ name }) => name);
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
