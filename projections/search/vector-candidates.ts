import type { Row, Transaction } from '../../src/database/database.js';
import { BestScores } from './best-scores.js';
import { codeWidth, modelKey, spaceOf } from './blocks.js';
import type { SearchCache, Space } from './cache.js';
import { type CodeQuery, codeQuery } from './code-query.js';
import { blocksIn, listOfBlocks } from './listed-blocks.js';
import type { MayPass } from './passing.js';
import { byScoreAndPlace, type ScoredPlace, versionOf } from './place.js';
import { nearestRows } from './scan.js';
import type { RankedCandidates, VectorQuery } from './search-index.js';
import { Slab, type StoredCodes } from './slab.js';
import { namespaceVersions } from './versions.js';

/** The number of lists that are cached at most. When it is reached, all cached lists are dropped. */
const maxLists = 1000;

/** For each document that is wanted, this number of rows with the best approximate scores are scored by their whole codes. */
const widening = 10;

/**
 * Finds memories by the codes of their vectors. A code has four bits for each component, and Node compares all codes of the
 * searched namespaces to choose candidates. Their whole vectors are compared exactly afterwards (see arms.ts).
 *
 * These alternatives were measured with 100,000 memories of 256 dimensions in PGlite and rejected: an exact scan (240 ms); one
 * row for each code, a scan by Hamming distance and re-ranking (109 to 115 ms); codes of the signs only (31 ms), which lost
 * four of five of the nearest (see codeOf). HNSW was not built: at 384 dimensions PGlite needed 2 to 4 ms for each vector, but
 * 500 memories a second are required, and results of HNSW must be filtered afterwards. ivfflat was not built, because its
 * lists must be trained on data first.
 */
export async function vectorCandidates(
  tx: Transaction,
  cache: SearchCache,
  query: VectorQuery,
): Promise<RankedCandidates> {
  return nearest(await currentCodes(tx, cache, query));
}

/** The codes of all searched namespaces, and the query in the form that is compared with them. */
interface CodesInScope {
  readonly slabs: ReadonlyMap<string, Slab>;
  readonly width: number;
  readonly wanted: CodeQuery;
}

async function currentCodes(tx: Transaction, cache: SearchCache, query: VectorQuery): Promise<CodesInScope> {
  const width = codeWidth(query.vector.length);
  const spaces = await listBlocks(tx, cache, query);
  return { slabs: await currentSlabs(tx, cache, spaces, width), width, wanted: codeQuery(query.vector) };
}

/** If at most this number of documents may pass the filter, the first scan is skipped and all their codes are compared. */
const fewCodes = 4000;

/** Ranks documents by their codes: first by the heaviest components, and then the best of these by all components. */
function nearest({ slabs, wanted }: CodesInScope): RankedCandidates {
  return {
    namespaceIds: [...slabs.keys()],
    documents: [...slabs.values()].reduce((sum, slab) => sum + slab.documents, 0),
    async choose(size, mayPass) {
      const few = mayPass?.few && mayPass.few.length * slabs.size <= fewCodes ? mayPass.few : undefined;
      const compared = [...slabs].map(([namespaceId, slab]) => ({
        namespaceId,
        ...comparedIn(slab, wanted, few ? rowsOf(slab, few) : nearestIn(slab, wanted, size, mayPass)),
      }));
      return bestOf(compared, size);
    },
  };
}

/** Documents and their similarities, side by side. An object for each would cost more than to compare its code. */
interface ComparedDocuments {
  readonly seqs: Float64Array;
  readonly scores: Float64Array;
}

/** Compares the document of each of these rows by all components. */
function comparedIn(slab: Slab, wanted: CodeQuery, rows: readonly number[]): ComparedDocuments {
  const seqs = new Float64Array(rows.length);
  const scores = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i] ?? -1;
    seqs[i] = slab.seqs[row] ?? -1;
    scores[i] = slab.similarityAt(row, wanted);
  }
  return { seqs, scores };
}

/** The `size` nearest documents, in order. */
function bestOf(
  compared: readonly (ComparedDocuments & { readonly namespaceId: string })[],
  size: number,
): ScoredPlace[] {
  const best = new BestScores(size);
  for (const { scores } of compared) for (const score of scores) if (score > best.least) best.push(score);
  const places: ScoredPlace[] = [];
  for (const { namespaceId, seqs, scores } of compared) {
    for (let i = 0; i < scores.length; i += 1) {
      const score = scores[i] ?? Number.NEGATIVE_INFINITY;
      if (score >= best.least) places.push({ namespaceId, seq: seqs[i] ?? -1, score });
    }
  }
  return places.sort(byScoreAndPlace).slice(0, size);
}

const rowsOf = (slab: Slab, seqs: readonly number[]): number[] =>
  seqs.map((seq) => slab.rowOf(seq)).filter((row) => row >= 0);

/**
 * A row of each of at least `size` documents, if there are that number of documents. Rows are chunks, and one memory may have
 * thousands of near chunks, so more rows are scanned until there are enough documents.
 */
function nearestIn(slab: Slab, wanted: CodeQuery, size: number, mayPass: MayPass | undefined): number[] {
  for (let enough = widening * size; ; enough *= 4) {
    const rows = nearestRows(slab, wanted, enough, mayPass && ((seq) => mayPass.has(seq)));
    // The rows of a document follow each other.
    const first = rows.filter((row, i) => i === 0 || slab.seqs[row] !== slab.seqs[rows[i - 1] ?? -1]);
    if (first.length >= size || rows.length < enough) return first;
  }
}

/**
 * The current codes of these spaces, by namespace. Only blocks that are not in memory or have changed are read. While this
 * search waits, another search with an older list of blocks may remove a block from memory, so this is repeated until all
 * blocks are in memory together.
 */
async function currentSlabs(
  tx: Transaction,
  cache: SearchCache,
  spaces: readonly Space[],
  width: number,
): Promise<Map<string, Slab>> {
  const slabs = spaces.map((space) => ({ space, slab: cache.slabs.get(space.space) ?? new Slab(width) }));
  if (!slabs.every(({ space, slab }) => asListed.get(slab) === space)) await bringUpToDate(tx, cache, slabs);
  return new Map(slabs.map(({ space, slab }) => [space.namespaceId, slab]));
}

/** The list of blocks that a slab holds all of. To look up each of them was a part of every search. */
const asListed = new WeakMap<Slab, Space>();

async function bringUpToDate(
  tx: Transaction,
  cache: SearchCache,
  listed: readonly { readonly space: Space; readonly slab: Slab }[],
): Promise<void> {
  const slabs = listed.map(({ space, slab }) => ({
    space,
    slab,
    blocks: new Map(space.blocks),
  }));
  for (let tries = 0; tries < 3; tries++) {
    const stale = slabs.map((one) =>
      [...one.blocks.keys()].filter((block) => !one.slab.holds(block, one.blocks.get(block))),
    );
    for (const [i, { slab, space }] of slabs.entries()) {
      if (stale[i]?.length === 0 && slab.blocks === space.blocks.size) asListed.set(slab, space);
    }
    if (tries > 0 && stale.every((blocks) => blocks.length === 0)) return;
    const read = await Promise.all(slabs.map((one, i) => readCodes(tx, one.space.space, stale[i] ?? [])));
    for (const [i, { slab, space, blocks }] of slabs.entries()) {
      const codes = read[i] ?? [];
      // The codes that were read may be newer than the list of blocks.
      for (const { block, version } of codes) blocks.set(block, version);
      asListed.delete(slab);
      slab.update(codes, new Set(blocks.keys()));
      cache.slabs.set(space.space, slab, slab.bytes);
    }
  }
}

async function readCodes(tx: Transaction, space: string, blocks: readonly number[]): Promise<StoredCodes[]> {
  if (blocks.length === 0) return [];
  const rows = await tx.query<{ block: number; version: string; entries: string }>(
    `select c.block, encode(c.entries, 'base64') as entries, ${versionOf('c')} as version
       from search_codes c where c.space = $1::bigint and c.block = any($2::bigint[])`,
    [space, blocks],
  );
  return rows.map((row) => ({ ...row, entries: Buffer.from(row.entries, 'base64') }));
}

/**
 * Lists the blocks of the searched namespaces. Every change of a namespace's codes makes a new version of the namespace's row,
 * so a cached list is used without checking each of, for example, 400 blocks.
 */
async function listBlocks(tx: Transaction, cache: SearchCache, query: VectorQuery): Promise<readonly Space[]> {
  const model = modelKey(query.model, query.vector.length);
  const namespaces = await namespaceVersions(tx, query.namespaceIds);
  const key = `${model} ${namespaces.map(({ id }) => id).join(' ')}`;
  const version = namespaces.map((namespace) => namespace.version).join(',');
  const cached = cache.lists.get(key);
  if (cached && cached.version === version) return cached.spaces;
  const rows = await tx.query<ListedSpace>(
    `select c.space::text, n.id::text as "namespaceId", ${listOfBlocks('c')} as listed
       from unnest($1::uuid[]) n(id) join search_codes c on c.space = ${spaceOf('$2::text', 'n.id')} group by 1, 2`,
    [query.namespaceIds, model],
  );
  if (cache.lists.size >= maxLists) cache.lists.clear();
  const spaces = rows.map(({ listed, ...space }) => ({ ...space, blocks: blocksIn(listed) }));
  cache.lists.set(key, { version, spaces });
  return spaces;
}

interface ListedSpace extends Row, Omit<Space, 'blocks'> {
  /** Its blocks: see `listOfBlocks`. */
  readonly listed: string;
}
