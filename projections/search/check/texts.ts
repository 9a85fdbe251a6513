import { namedFaults, type OnFault } from '../../../src/base/faults.js';
import type { Database, Transaction } from '../../../src/database/database.js';
import type { Prepare, Prepared } from '../../../src/domain/prepared.js';
import { vaultRows } from '../../../src/ledger/rows.js';
import { isReady } from '../../ingest/rows.js';
import { memoryRows } from '../../memory/rows.js';
import { rowFault } from '../../row-fault.js';
import { whoOf } from '../facts.js';
import { paramsOf, partsWithWords } from '../words.js';
import type { BlockRange, Indexed, VectorCheck } from './parts.js';

/** Documents that are read at once. The texts of two pages are in memory at the same time. */
const pageDocuments = 400;
const pageBytes = 8 * 1024 * 1024;

interface TextCheck {
  readonly database: Database;
  readonly prepare: Prepare;
  /** Null if vectors are not compared. */
  readonly vectors: VectorCheck | null;
  readonly onDocuments: (count: number) => void;
  readonly found: OnFault;
}

/** Compares the documents of a range, their words and their vectors with the texts of their memories. */
export async function checkTexts(check: TextCheck, range: BlockRange): Promise<void> {
  let nextPage = readPage(check, range, range.from);
  for (;;) {
    const page = await nextPage;
    if (page.length === 0) return;
    // The database reads the next page while this process works on the current one.
    nextPage = pageAfter(check, range, page);
    nextPage.catch(() => undefined);
    await checkPage(check, range, page);
    check.onDocuments(page.length);
  }
}

async function pageAfter(check: TextCheck, range: BlockRange, page: readonly Indexed[]): Promise<Indexed[]> {
  const last = page.at(-1);
  if (!last || (last.found < pageDocuments && last.found === page.length)) return [];
  return readPage(check, range, last.seq + 1);
}

/** Reads documents of the range, from number `from` on, as one JSON text. One row for each takes longer to transfer. */
async function readPage({ database, vectors }: TextCheck, range: BlockRange, from: number): Promise<Indexed[]> {
  const [row] = await database.read((tx) =>
    tx.query<{ page: string | null }>(
      `select json_agg(one order by seq)::text as page from (
         select d.memory_id as "memoryId", d.seq, d.found, ${isReady('d.memory_id')} as ready, v.content,
                coalesce(d.home = $1::uuid and d.home_seq = d.seq, false) as "inPlace", ${vectors?.digest ?? 'null'} as vectors
           from (select *, count(*) over () as found, sum(size) over (order by seq) - size as before from (
                   select d.memory_id, d.seq, m.namespace_id as home, m.seq as home_seq, m.receipt_id, coalesce(m.size, 0) as size
                     from search_documents d left join ${memoryRows} m on m.id = d.memory_id
                    where d.namespace_id = $1 and d.seq >= $2 and d.seq < $3 and d.model <> ''
                    order by d.seq limit ${pageDocuments}) page) d
           left join ${vaultRows} v on v.receipt_id = d.receipt_id
          where d.before < ${pageBytes}) one`,
      [range.namespaceId, from, range.to],
    ),
  );
  return JSON.parse(row?.page ?? '[]');
}

async function checkPage(check: TextCheck, range: BlockRange, all: readonly Indexed[]): Promise<void> {
  const isPlaced = ({ ready, inPlace, content }: Indexed) => ready && inPlace && content !== null;
  for (const document of all) {
    if (isPlaced(document)) continue;
    const { memoryId: memory_id, ready, content } = document;
    const how = ready && content !== null ? 'different' : 'orphan';
    check.found('search_documents', rowFault('search_documents', { memory_id }, how));
  }
  const page = all.filter(isPlaced);
  const prepared: Prepared[] = [];
  for (const { content } of page) prepared.push(await check.prepare(content ?? ''));
  const faults = await check.database.read((tx) => partFaults(tx, range, page, prepared));
  for (const fault of faults) check.found('search_texts', fault);
  for (const id of await check.database.read((tx) => factFaults(tx, range, page, prepared))) {
    check.found('search_documents', rowFault('search_documents', { memory_id: id }, 'different'));
  }
  await check.vectors?.check(page, prepared, check.found);
}

interface PartRow {
  id: string;
  part: number;
  how: 'missing' | 'orphan' | 'different';
}

/** Compares the stored words with those of the texts, part by part. */
async function partFaults(
  tx: Transaction,
  { namespaceId, textConfig }: BlockRange,
  page: readonly Indexed[],
  prepared: readonly Prepared[],
): Promise<string[]> {
  const rows = page.flatMap(({ memoryId }, i) =>
    (prepared[i]?.parts ?? []).map((tokens, part) => ({ memoryId, part, textConfig, tokens })),
  );
  // A document that was removed or moved after the page was read is not a fault.
  const faults = await tx.query<PartRow & Record<string, unknown>>(
    `with ${partsWithWords}
     select coalesce(p.id, t.memory_id)::text as id, coalesce(p.part, t.part) as part,
            case when t.part is null then 'missing' when p.part is null then 'orphan' else 'different' end as how
       from parts p
       full join (select * from search_texts where memory_id = any($1::uuid[])) t
         on t.memory_id = p.id and t.part = p.part
       join search_documents d on d.memory_id = coalesce(p.id, t.memory_id)
      where d.namespace_id = $8 and d.model <> '' and t.words is distinct from p.words
      order by 1, 2 limit ${namedFaults + 1}`,
    [...paramsOf(rows), namespaceId],
  );
  return faults.map(({ id, part, how }) => rowFault('search_texts', { memory_id: id, part }, how));
}

/** Those of these documents whose facts do not follow from their texts and metadata. */
async function factFaults(
  tx: Transaction,
  { namespaceId }: BlockRange,
  page: readonly Indexed[],
  prepared: readonly Prepared[],
): Promise<string[]> {
  const facts = prepared.map((one) => one.facts);
  const faults = await tx.query<{ id: string }>(
    `select d.memory_id::text as id
       from unnest($1::uuid[], $2::boolean[], $3::boolean[], $4::text[]) f(id, asks, says_when, speaker)
       join search_documents d on d.memory_id = f.id and d.namespace_id = $5 and d.model <> ''
       join ${memoryRows} m on m.id = d.memory_id
      where (d.asks, d.says_when, d.who) is distinct from (f.asks, f.says_when, ${whoOf('f.speaker', 'd.namespace_id')})
      order by 1 limit ${namedFaults + 1}`,
    [
      page.map(({ memoryId }) => memoryId),
      facts.map(({ asks }) => asks),
      facts.map(({ saysWhen }) => saysWhen),
      facts.map(({ speaker }) => speaker),
      namespaceId,
    ],
  );
  return faults.map(({ id }) => id);
}
