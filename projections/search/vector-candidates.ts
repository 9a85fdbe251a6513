import type { Transaction } from '../../src/database/database.js';
import { codeWidth, modelKey, spaceOf } from './blocks.js';
import type { SearchCache, Space } from './cache.js';
import type { MayPass } from './passing.js';
import { byScoreAndPlace, type Place, versionOf } from './place.js';
import { type CodeQuery, codeQuery, nearestRows, similarityOfCodes } from './scan.js';
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

const similarityAt = ({ slabs, width, wanted }: CodesInScope, { namespaceId, seq }: Place): number =>
  similarityOfCodes(slabs.get(namespaceId)?.codesOf(seq) ?? Buffer.alloc(0), width, wanted);

/** If at most this number of documents may pass the filter, the first scan is skipped and all their codes are compared. */
const fewCodes = 4000;

/** Ranks documents by their codes: first by the heaviest components, and then the best of these by all components. */
function nearest(codes: CodesInScope): RankedCandidates {
  const { slabs, wanted } = codes;
  return {
    namespaceIds: [...slabs.keys()],
    documents: [...slabs.values()].reduce((sum, slab) => sum + slab.documents, 0),
    async choose(size, mayPass) {
      const few = mayPass?.few && mayPass.few.length * slabs.size <= fewCodes ? mayPass.few : undefined;
      const places = [...slabs].flatMap(([namespaceId, slab]) =>
        (few ?? nearestIn(slab, wanted, size, mayPass)).map((seq) => ({
          namespaceId,
          seq,
          score: similarityAt(codes, { namespaceId, seq }),
        })),
      );
      return places
        .filter(({ score }) => score > Number.NEGATIVE_INFINITY)
        .sort(byScoreAndPlace)
        .slice(0, size);
    },
  };
}

/**
 * Finds at least `size` documents, if there are that number of documents. Rows are chunks, and one memory may have thousands
 * of near chunks, so more rows are scanned until there are enough documents.
 */
function nearestIn(slab: Slab, wanted: CodeQuery, size: number, mayPass: MayPass | undefined): number[] {
  for (let enough = widening * size; ; enough *= 4) {
    const rows = nearestRows(slab, wanted, enough, mayPass && ((seq) => mayPass.has(seq)));
    const seqs = new Set(rows.map((row) => slab.seqs[row] ?? -1));
    if (seqs.size >= size || rows.length < enough) return [...seqs];
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
  const slabs = spaces.map((space) => ({
    space: space.space,
    namespaceId: space.namespace_id,
    slab: cache.slabs.get(space.space) ?? new Slab(width),
    blocks: new Map(space.blocks.map((block, i) => [block, space.versions[i]])),
  }));
  for (let tries = 0; tries < 3; tries++) {
    const stale = slabs.map((one) =>
      [...one.blocks.keys()].filter((block) => !one.slab.holds(block, one.blocks.get(block))),
    );
    if (tries > 0 && stale.every((blocks) => blocks.length === 0)) break;
    const read = await Promise.all(slabs.map((one, i) => readCodes(tx, one.space, stale[i] ?? [])));
    for (const [i, { slab, space, blocks }] of slabs.entries()) {
      const codes = read[i] ?? [];
      // The codes that were read may be newer than the list of blocks.
      for (const { block, version } of codes) blocks.set(block, version);
      slab.update(codes, new Set(blocks.keys()));
      cache.slabs.set(space, slab, slab.bytes);
    }
  }
  return new Map(slabs.map(({ namespaceId, slab }) => [namespaceId, slab]));
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
  const spaces = await tx.query<Space>(
    `select c.space::text, n.id::text as namespace_id, array_agg(c.block) as blocks,
            array_agg(${versionOf('c')}) as versions
       from unnest($1::uuid[]) n(id) join search_codes c on c.space = ${spaceOf('$2::text', 'n.id')} group by 1, 2`,
    [query.namespaceIds, model],
  );
  if (cache.lists.size >= maxLists) cache.lists.clear();
  cache.lists.set(key, { version, spaces });
  return spaces;
}
