import { namedFaults, type OnFault } from '../../../src/base/faults.js';
import { yieldToOthers } from '../../../src/base/steps.js';
import type { Database, Transaction } from '../../../src/database/database.js';
import type { Prepare, Prepared } from '../../../src/domain/prepared.js';
import { vaultRows } from '../../../src/ledger/rows.js';
import { isReady } from '../../ingest/rows.js';
import { memoryRows } from '../../memory/rows.js';
import { rowFault } from '../../row-fault.js';
import type { SearchDocument } from '../document.js';
import { type Encoded, encodedDocuments } from '../encoded.js';
import { whoOf } from '../facts.js';
import { type Numbered, numbered } from '../new-blocks.js';
import type { BlockRange, Embedder, Indexed, ListedById } from './parts.js';
import { digestOfRows, digestOfVectors, vectorFaults } from './vectors.js';
import { digestOfParts, digestOfWords, wordFaults } from './words.js';

/** Documents that are read at once. The texts of two pages are in memory at the same time. */
const pageDocuments = 400;
const pageBytes = 8 * 1024 * 1024;

interface TextCheck {
  readonly database: Database;
  readonly prepare: Prepare;
  /** Null if vectors are not compared. */
  readonly embedder: Embedder | null;
  readonly onDocuments: (count: number) => void;
  readonly found: OnFault;
}

/**
 * Compares the documents of a range, their words and their vectors with the texts of their memories.
 * @returns the documents as they must be
 */
export async function checkTexts(check: TextCheck, range: BlockRange): Promise<ListedById> {
  const all = new Map<string, Numbered>();
  let nextPage = readPage(check, range, range.from);
  for (;;) {
    const page = await nextPage;
    if (page.length === 0) return all;
    // The database reads the next page while this process works on the current one: the request leaves this thread before it
    // is busy.
    nextPage = pageAfter(check, range, page);
    nextPage.catch(() => undefined);
    await yieldToOthers();
    for (const [id, one] of await checkPage(check, range, page)) all.set(id, one);
    check.onDocuments(page.length);
  }
}

async function pageAfter(check: TextCheck, range: BlockRange, page: readonly Indexed[]): Promise<Indexed[]> {
  const last = page.at(-1);
  if (!last || (last.found < pageDocuments && last.found === page.length)) return [];
  return readPage(check, range, last.seq + 1);
}

/** Reads documents of the range, from number `from` on, as one JSON text. One row for each takes longer to transfer. */
async function readPage({ database, embedder }: TextCheck, range: BlockRange, from: number): Promise<Indexed[]> {
  const [row] = await database.read((tx) =>
    tx.query<{ page: string | null }>(
      `select json_agg(one order by seq)::text as page from (
         select d.memory_id as "memoryId", d.seq, d.found, ${isReady('d.memory_id')} as ready, v.content,
                coalesce(d.home = $1::uuid and d.home_seq = d.seq, false) as "inPlace",
                ${digestOfParts} as words, ${embedder ? digestOfRows : 'null'} as vectors
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

async function checkPage(check: TextCheck, range: BlockRange, all: readonly Indexed[]) {
  const { database, found } = check;
  const isPlaced = ({ ready, inPlace, content }: Indexed) => ready && inPlace && content !== null;
  for (const document of all) {
    if (isPlaced(document)) continue;
    const { memoryId: memory_id, ready, content } = document;
    const how = ready && content !== null ? 'different' : 'orphan';
    found('search_documents', rowFault('search_documents', { memory_id }, how));
  }
  const page = all.filter(isPlaced);
  const encoded = await encodedDocuments(database.read, await documentsOf(check, range, page));
  const otherFacts = database.read((tx) => factFaults(tx, range, encoded));
  otherFacts.catch(() => undefined);
  // The database compares facts while this process computes digests.
  await yieldToOthers();
  for (const [i, one] of encoded.entries()) {
    if (page[i]?.words === digestOfWords(one.parts)) continue;
    for (const fault of await database.read((tx) => wordFaults(tx, range, one))) found('search_texts', fault);
  }
  for (const id of await otherFacts)
    found('search_documents', rowFault('search_documents', { memory_id: id }, 'different'));
  for (const [i, one] of check.embedder ? encoded.entries() : []) {
    const seq = page[i]?.seq ?? 0;
    if (page[i]?.vectors === digestOfVectors(one, seq)) continue;
    for (const fault of await database.read((tx) => vectorFaults(tx, one, seq))) found('search_vectors', fault);
  }
  return encoded.map((one, i) => [one.memoryId, numbered(one, page[i]?.seq ?? 0)] as const);
}

/** The documents as the index is given them. */
async function documentsOf(
  { prepare, embedder }: TextCheck,
  { namespaceId, textConfig }: BlockRange,
  page: readonly Indexed[],
): Promise<SearchDocument[]> {
  const prepared: Prepared[] = [];
  for (const { content } of page) prepared.push(await prepare(content ?? ''));
  const texts = embedder ? prepared.flatMap(({ chunks }) => chunks.map(({ text }) => text)) : [];
  const vectors = embedder ? await embedder.documents(texts) : [];
  let next = 0;
  return page.map(({ memoryId }, i): SearchDocument => {
    const { parts = [], chunks = [], facts } = prepared[i] ?? {};
    if (!facts) throw new Error('a text was not prepared');
    const withVectors = chunks.flatMap(({ ordinal }) => {
      const vector = vectors[next++];
      return vector ? [{ ordinal, vector }] : [];
    });
    return { memoryId, namespaceId, textConfig, parts, facts, model: embedder?.model ?? '', chunks: withVectors };
  });
}

/** Those of these documents whose facts or length do not follow from their texts and metadata. */
async function factFaults(
  tx: Transaction,
  { namespaceId }: BlockRange,
  documents: readonly Encoded[],
): Promise<string[]> {
  const faults = await tx.query<{ id: string }>(
    `select d.memory_id::text as id
       from unnest($1::uuid[], $2::boolean[], $3::boolean[], $4::text[], $6::integer[]) f(id, asks, says_when, speaker, length)
       join search_documents d on d.memory_id = f.id and d.namespace_id = $5 and d.model <> ''
       join ${memoryRows} m on m.id = d.memory_id
      where (d.length, d.asks, d.says_when, d.who) is distinct from
            (f.length, f.asks, f.says_when, ${whoOf('f.speaker', 'd.namespace_id')})
      order by 1 limit ${namedFaults + 1}`,
    [
      documents.map(({ memoryId }) => memoryId),
      documents.map(({ facts }) => facts.asks),
      documents.map(({ facts }) => facts.saysWhen),
      documents.map(({ facts }) => facts.speaker),
      namespaceId,
      documents.map(({ length }) => length),
    ],
  );
  return faults.map(({ id }) => id);
}
