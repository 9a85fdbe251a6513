import type { Transaction, Value } from '../../src/adapters/database/database.js';
import { codeBits, codeWidth, modelKey, spaceOf } from './blocks.js';
import { bestPassing, byScores, type Choice, type Filter } from './scope.js';
import type { Scored, Scores } from './top.js';
import {
  type CodeQuery,
  type Codes,
  codeQuery,
  fullScore,
  hasDirection,
  integersOf,
  roughScores,
  unpackCodes,
} from './vectors.js';

export interface DenseQuery {
  readonly namespaceIds: readonly string[];
  readonly model: string;
  readonly vector: Float32Array;
  readonly filter: Filter;
  readonly limit: number;
}

export interface DenseHit {
  readonly memoryId: string;
  /** Of the memory's nearest chunk, −1 to 1. */
  readonly cosine: number;
}

/**
 * Blocks of codes that were read before. One for each database, as versions of rows are its own. It is only ever a
 * saving: a block is used when the database still holds the very version of the row that it was made of.
 */
export interface CodeCache {
  /** Which blocks there are, by what was asked for, while the namespaces asked for are of the same version. */
  readonly lists: Map<string, { readonly version: string; readonly spaces: readonly Space[] }>;
  readonly blocks: Map<string, { readonly version: string; readonly codes: Codes }>;
  /** Bytes kept at most; the block that was not used for the longest time goes first. */
  readonly capacity: number;
  held: number;
}

/** @param capacity in bytes; 100,000 memories of 256 dimensions are 26 MB */
export const codeCache = (capacity = 256 * 1024 * 1024): CodeCache => ({
  lists: new Map(),
  blocks: new Map(),
  capacity,
  held: 0,
});

/** Lists kept at most; when there are more, all are asked for again. */
const maxLists = 1000;

interface Space extends Record<string, unknown> {
  space: string;
  namespace_id: string;
  blocks: number[];
  versions: string[];
}

/** Rough scores looked at again by all components of the codes, for each document that is then compared exactly. */
const widening = 10;

/**
 * Memories by the cosine of their nearest chunk, best first. Codes of four bits a component choose candidates over the
 * whole scope, in Node; the vectors of those are then compared exactly, by pgvector.
 *
 * Rejected, 100,000 memories of 256 dimensions in PGlite: an exact scan, 240 ms; one row for each code, hamming scan and
 * re-ranking, 109 to 115; codes of the signs alone, 31, which lost four of five of the nearest (see codeOf).
 * HNSW was not built here: at 384 dimensions PGlite was seen to need 2 to 4 ms for each vector, when 500 memories a second
 * are wanted, and its results must be filtered afterwards. Nor was ivfflat: it needs its lists trained on data first.
 */
export async function denseCandidates(tx: Transaction, cache: CodeCache, query: DenseQuery): Promise<DenseHit[]> {
  if (!hasDirection(query.vector)) return [];
  const choice = await nearestByCode(tx, cache, query);
  const hits = await bestPassing(tx, choice, query.filter, query.limit, query.limit, (ranked) =>
    compare(tx, ranked, query),
  );
  return hits.sort((x, y) => y.cosine - x.cosine || (x.memoryId < y.memoryId ? -1 : 1)).slice(0, query.limit);
}

interface Block {
  readonly namespaceId: string;
  readonly first: number;
  readonly codes: Codes;
}

async function nearestByCode(tx: Transaction, cache: CodeCache, query: DenseQuery): Promise<Choice> {
  const wanted = codeQuery(query.vector);
  const blocks = await blocksOf(tx, cache, query);
  const rough = blocks.map((block) => roughOf(block, wanted));
  const byPlace = new Map(blocks.map((block) => [`${block.namespaceId} ${block.first}`, block]));
  const { choose, ...all } = byScores(rough);
  return {
    ...all,
    choose: (size, allowed) =>
      choose(widening * size, allowed)
        .map((one) => {
          const first = one.seq - (one.seq % 2 ** codeBits);
          const block = byPlace.get(`${one.namespaceId} ${first}`);
          return block ? { ...one, score: fullScore(block.codes, one.seq - first, wanted) } : one;
        })
        .sort((a, b) => b.score - a.score)
        .slice(0, size),
  };
}

async function blocksOf(tx: Transaction, cache: CodeCache, query: DenseQuery): Promise<Block[]> {
  const spaces = await listBlocks(tx, cache, query);
  const read = await readStale(tx, cache, spaces, codeWidth(query.vector.length));
  return spaces.flatMap(({ space, namespace_id, blocks }) =>
    blocks.flatMap((block) => {
      const codes = read.get(`${space} ${block}`);
      return codes ? [{ namespaceId: namespace_id, first: block * 2 ** codeBits, codes }] : [];
    }),
  );
}

/** Every change of a namespace's codes makes a new version of its row, so of 400 blocks none need be asked for. */
async function listBlocks(tx: Transaction, cache: CodeCache, query: DenseQuery): Promise<readonly Space[]> {
  const model = modelKey(query.model, query.vector.length);
  const namespaces = await tx.query<{ id: string; version: string }>(
    `select namespace_id::text as id, tableoid::text || ' ' || xmin::text || ' ' || ctid::text as version
       from search_namespaces where namespace_id = any($1::uuid[]) order by 1`,
    [query.namespaceIds],
  );
  const key = `${model} ${namespaces.map(({ id }) => id).join(' ')}`;
  const version = namespaces.map((namespace) => namespace.version).join(',');
  const kept = cache.lists.get(key);
  if (kept && kept.version === version) return kept.spaces;
  const spaces = await tx.query<Space>(
    `select c.space::text, n.id::text as namespace_id, array_agg(c.block) as blocks,
            array_agg(c.tableoid::text || ' ' || c.xmin::text || ' ' || c.ctid::text) as versions
       from unnest($1::uuid[]) n(id) join search_codes c on c.space = ${spaceOf('$2::text', 'n.id')} group by 1, 2`,
    [query.namespaceIds, model],
  );
  if (cache.lists.size >= maxLists) cache.lists.clear();
  cache.lists.set(key, { version, spaces });
  return spaces;
}

/** Of a memory with several chunks only the nearest counts; its codes stand next to each other. */
function roughOf({ namespaceId, first, codes }: Block, wanted: CodeQuery): Scores {
  const { offsets } = codes;
  const scores = roughScores(codes, wanted);
  let count = scores.length;
  for (let i = 1; i < scores.length; i++) {
    if (offsets[i] !== offsets[i - 1]) continue;
    scores[i] = Math.max(scores[i] ?? 0, scores[i - 1] ?? 0);
    scores[i - 1] = Number.NEGATIVE_INFINITY;
    count--;
  }
  return { namespaceId, first, seqs: offsets, scores, count };
}

async function readStale(
  tx: Transaction,
  cache: CodeCache,
  spaces: readonly Space[],
  width: number,
): Promise<Map<string, Codes>> {
  const codes = new Map<string, Codes>();
  const stale: { space: string; block: number }[] = [];
  for (const { space, blocks, versions } of spaces) {
    for (const [i, block] of blocks.entries()) {
      const key = `${space} ${block}`;
      const kept = cache.blocks.get(key);
      if (kept && kept.version === versions[i]) {
        codes.set(key, kept.codes);
        remember(cache, key, kept);
      } else stale.push({ space, block });
    }
  }
  if (stale.length === 0) return codes;
  const rows = await tx.query<{ key: string; version: string; entries: string }>(
    `select c.space::text || ' ' || c.block::text as key, encode(c.entries, 'base64') as entries,
            c.tableoid::text || ' ' || c.xmin::text || ' ' || c.ctid::text as version
       from unnest($1::bigint[], $2::bigint[]) r(space, block) join search_codes c using (space, block)`,
    [stale.map((one) => one.space), stale.map((one) => one.block)],
  );
  for (const { key, version, entries } of rows) {
    const block = { version, codes: unpackCodes(Buffer.from(entries, 'base64'), width) };
    codes.set(key, block.codes);
    remember(cache, key, block);
  }
  return codes;
}

function remember(cache: CodeCache, key: string, block: { version: string; codes: Codes }): void {
  const size = (codes: Codes | undefined) => codes?.levels.length ?? 0;
  cache.held += size(block.codes) - size(cache.blocks.get(key)?.codes);
  cache.blocks.delete(key);
  cache.blocks.set(key, block);
  for (const [oldest, { codes }] of cache.blocks) {
    if (cache.held <= cache.capacity || oldest === key) return;
    cache.blocks.delete(oldest);
    cache.held -= size(codes);
  }
}

async function compare(tx: Transaction, ranked: readonly Scored[], query: DenseQuery): Promise<DenseHit[]> {
  const namespaceIds = [...new Set(ranked.map((one) => one.namespaceId))];
  const params: Value[] = [
    ranked.map((one) => namespaceIds.indexOf(one.namespaceId) + 1),
    ranked.map((one) => one.seq),
    namespaceIds,
    modelKey(query.model, query.vector.length),
    `[${integersOf(query.vector).join(',')}]`,
  ];
  const condition = query.filter((value) => `$${params.push(value)}`);
  // $5 is of the type vector itself: a cast from text would be done again for each row, 0.1 ms every time.
  const rows = await tx.query<{ memory_id: string; cosine: number }>(
    `with spaces as materialized (
       select array_agg(${spaceOf('$4::text', 'n.id')} order by n.place) as hashes
         from unnest($3::uuid[]) with ordinality n(id, place))
     select v.memory_id::text, max(1 - (v.embedding <=> $5::vector)) as cosine
       from spaces cross join unnest($1::integer[], $2::bigint[]) r(place, seq) cross join lateral (
         select * from search_vectors where space = spaces.hashes[r.place] and seq = r.seq offset 0) v
       join memories m on m.id = v.memory_id where ${condition} group by 1`,
    params,
  );
  return rows.map((row) => ({ memoryId: row.memory_id, cosine: row.cosine }));
}
