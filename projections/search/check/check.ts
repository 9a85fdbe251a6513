import type { Database, Row, Transaction } from '../../../src/adapters/database/database.js';
import type { Prepare } from '../../../src/domain/prepared.js';
import { namespaceRows } from '../../namespace/rows.js';
import type { OnProgress } from '../../projection.js';
import { postingBits } from '../blocks.js';
import { countReady } from '../rebuild-rows.js';
import { tables } from '../tables.js';
import { listsFault } from './lists.js';
import { openPostingKeys, type PostingKeys } from './posting-keys.js';
import { countFault, misplacedDocument, orphanRow } from './rows-of-index.js';
import { textsFault } from './texts.js';
import { vectorCheck } from './vectors.js';

/** Makes vectors of texts. */
export interface Embedder {
  readonly model: string;
  /** Whether the same text always comes out the same. */
  readonly repeatable: boolean;
  documents(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

export interface SearchCheck {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly prepare: Prepare;
}

/** The documents of one namespace whose postings are in one block. */
export interface BlockRange {
  readonly namespaceId: string;
  /** How the words of its texts are stemmed. */
  readonly textConfig: string;
  readonly block: number;
  /** The numbers of its documents: from the first of the block up to, and without, the first of the next. */
  readonly from: number;
  readonly to: number;
}

/**
 * Compares the search index with the memories that are ready, range by range, and writes nothing: what each text leads
 * to is worked out again, and that must be in the index. Each look sees the store as of one moment, so writes that continue
 * are not taken for faults. A document that is still being added, or taken out, is left out: no search finds it.
 * @returns the first fault as a sentence, or null
 */
export async function searchFault(check: SearchCheck, onProgress: OnProgress): Promise<string | null> {
  const { database } = check;
  const early = (await database.read(missingTable)) ?? (await misplacedDocument(database));
  if (early !== null) return early;
  const keys = openPostingKeys();
  return (
    (await rangesFault(check, keys, onProgress)) ??
    (await countFault(database)) ??
    (await orphanRow(database)) ??
    keys.orphanFault(database)
  );
}

async function rangesFault(check: SearchCheck, keys: PostingKeys, onProgress: OnProgress): Promise<string | null> {
  const { database, embedder, prepare } = check;
  const compareVectors = await database.read((tx) => areVectorsComparable(tx, embedder));
  const total = await database.read(countReady);
  let done = 0;
  const onDocuments = (count: number) => {
    done += count;
    onProgress(done, Math.max(done, total));
  };
  onDocuments(0);
  let listsOfLast: () => Promise<string | null> = async () => null;
  for (let range = await database.read((tx) => nextRange(tx, null)); range; ) {
    const vectors = compareVectors ? vectorCheck(database, embedder, range) : null;
    const here = range;
    // The lists of the last range are compared in the database while the texts of this one are worked on here.
    const [texts, lists, next] = await Promise.all([
      textsFault({ database, prepare, vectors, onDocuments }, here),
      listsOfLast(),
      database.read((tx) => nextRange(tx, here)),
    ]);
    if (lists !== null || texts !== null) return lists ?? texts;
    listsOfLast = () => listsFault(database, here, vectors?.codes() ?? null, keys);
    range = next;
  }
  const fault = await listsOfLast();
  onProgress(done, done);
  return fault;
}

async function missingTable(tx: Transaction): Promise<string | null> {
  const [gone] = await tx.query<{ name: string }>(
    'select name from unnest($1::text[]) with ordinality t(name, place) where to_regclass(name) is null order by place',
    [tables],
  );
  return gone ? `The table ${gone.name} is missing.` : null;
}

/** Vectors of a model elsewhere need not come out the same twice, and while memories are embedded again they differ. */
async function areVectorsComparable(tx: Transaction, { model, repeatable }: Embedder): Promise<boolean> {
  // Two ranges of the index: "<>" would read every row that is of the right model.
  const others = await tx.query(
    "select 1 from search_documents where (model > '' and model < $1) or model > $1 limit 1",
    [model],
  );
  return repeatable && others.length === 0;
}

interface Begin extends Row {
  namespaceId: string;
  textConfig: string;
  block: number;
}

async function nextRange(tx: Transaction, after: BlockRange | null): Promise<BlockRange | null> {
  const [begin] = await tx.query<Begin>(
    `select d.namespace_id::text as "namespaceId", coalesce(n.text_config, 'simple') as "textConfig",
            d.seq >> ${postingBits} as block
       from search_documents d left join ${namespaceRows} n on n.id = d.namespace_id
      where $1::uuid is null or (d.namespace_id, d.seq) >= ($1::uuid, $2::bigint)
      order by d.namespace_id, d.seq limit 1`,
    [after?.namespaceId ?? null, after?.to ?? 0],
  );
  return begin ? { ...begin, from: begin.block * 2 ** postingBits, to: (begin.block + 1) * 2 ** postingBits } : null;
}
