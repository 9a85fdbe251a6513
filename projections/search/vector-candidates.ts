import type { Transaction } from '../../src/adapters/database/database.js';
import { codeWidth, modelKey, spaceOf } from './blocks.js';
import { namespaceVersions, type SearchCache, type Space, versionOf } from './cache.js';
import type { MayPass } from './passing.js';
import { type CodeQuery, codeQuery, cosineOfCodes, nearestRows } from './scan.js';
import type { Place } from './scope.js';
import type { RankedCandidates, VectorCandidates, VectorQuery } from './search-index.js';
import { Slab, type StoredCodes } from './slab.js';

/** Lists kept at most; when there are more, all are read again. */
const maxLists = 1000;

/** Rough scores looked at again by all components of the codes, for each document that is then compared exactly. */
const widening = 10;

/**
 * Memories by the codes of their vectors: four bits a component choose candidates over the whole scope, in Node. What they
 * are worth is found by comparing their whole vectors (see arms.ts).
 *
 * Rejected, 100,000 memories of 256 dimensions in PGlite: an exact scan, 240 ms; one row for each code, hamming scan and
 * re-ranking, 109 to 115; codes of the signs alone, 31, which lost four of five of the nearest (see codeOf).
 * HNSW was not built here: at 384 dimensions PGlite was seen to need 2 to 4 ms for each vector, when 500 memories a second
 * are wanted, and its results must be filtered afterwards. Nor was ivfflat: it needs its lists trained on data first.
 */
export async function vectorCandidates(
  tx: Transaction,
  cache: SearchCache,
  query: VectorQuery,
): Promise<VectorCandidates> {
  const codes = await currentCodes(tx, cache, query);
  return { ...nearest(codes), cosineAt: (place) => cosineAt(codes, place) };
}

/** The codes of everything that is searched, and the query as it is compared with them. */
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

const cosineAt = ({ slabs, width, wanted }: CodesInScope, { namespaceId, seq }: Place): number =>
  cosineOfCodes(slabs.get(namespaceId)?.codesOf(seq) ?? Buffer.alloc(0), width, wanted);

/** Fewer are compared by all of their codes at once. */
const fewCodes = 4000;

/** Documents by their codes: the best by the heaviest components are looked at by all of them. */
function nearest(codes: CodesInScope): RankedCandidates {
  const { slabs, wanted } = codes;
  return {
    namespaceIds: [...slabs.keys()],
    documents: [...slabs.values()].reduce((sum, slab) => sum + slab.documents, 0),
    async choose(size, mayPass) {
      const few = mayPass?.few && mayPass.few.length * slabs.size <= fewCodes ? mayPass.few : undefined;
      const places = [...slabs].flatMap(([namespaceId, slab]) =>
        (few ?? nearestIn(slab, wanted, size, mayPass)).map((seq) => ({ namespaceId, seq })),
      );
      return places
        .map((place) => ({ ...place, score: cosineAt(codes, place) }))
        .filter(({ score }) => score > Number.NEGATIVE_INFINITY)
        .sort((a, b) => b.score - a.score)
        .slice(0, size);
    },
  };
}

/** At least `size` documents where there are as many: rows are chunks, and one memory may have thousands of near ones. */
function nearestIn(slab: Slab, wanted: CodeQuery, size: number, mayPass: MayPass | undefined): number[] {
  for (let enough = widening * size; ; enough *= 4) {
    const rows = nearestRows(slab, wanted, enough, mayPass && ((seq) => mayPass.has(seq)));
    const seqs = new Set(rows.map((row) => slab.seqs[row] ?? -1));
    if (seqs.size >= size || rows.length < enough) return [...seqs];
  }
}

/**
 * The codes of these spaces as they are now, by namespace: of those in memory, only blocks that have changed are read again.
 * A search that has listed blocks earlier may let go of one while this one waits, so it looks until all are here at once.
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
      // What was read may be newer than what was listed.
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

/** Every change of a namespace's codes makes a new version of its row, so of 400 blocks none need be asked for. */
async function listBlocks(tx: Transaction, cache: SearchCache, query: VectorQuery): Promise<readonly Space[]> {
  const model = modelKey(query.model, query.vector.length);
  const namespaces = await namespaceVersions(tx, query.namespaceIds);
  const key = `${model} ${namespaces.map(({ id }) => id).join(' ')}`;
  const version = namespaces.map((namespace) => namespace.version).join(',');
  const kept = cache.lists.get(key);
  if (kept && kept.version === version) return kept.spaces;
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
