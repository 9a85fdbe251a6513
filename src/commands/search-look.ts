import { filterSql } from '../../projections/memory/filter-sql.js';
import { seqsOf } from '../../projections/receipts/times.js';
import {
  type Found,
  indexState,
  type QueryWord,
  queryTokens,
  queryWords,
  type Searched,
  type SearchQuery,
  termsOfWords,
  type Wanted,
} from '../../projections/search/queries.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import type { Transaction } from '../database/database.js';
import type { Caller } from '../domain/caller.js';
import type { Filter, HitFilter } from '../domain/filters.js';
import { bm25 } from '../domain/rank/rank.js';
import { classesOf } from '../domain/tokens/query.js';
import type { OwnWrites } from './own-writes.js';
import {
  candidatesOf,
  type Degraded,
  degradedOf,
  type QueryParts,
  refusedVector,
  vectorOf,
  wordWeights,
} from './search-candidates.js';
import { hitReader } from './search-hits.js';
import { invalidatedLeftOut } from './search-left-out.js';
import { rankedOf } from './search-ranking.js';
import type { Vault } from './vault.js';

/** Postings read at most; what a search leaves out then is looked up for the best candidates. */
const postingsBudget = 200_000;

export interface SearchRequest {
  readonly query: string;
  readonly namespaceIds: readonly string[];
  readonly agentId: string | undefined;
  readonly k: number;
  readonly tokenBudget: number;
  readonly filter: Filter;
  readonly hits: HitFilter;
  /** Whether it waits until what the caller has written a moment ago can be found. */
  readonly waits: boolean;
  /** Ends when no one waits for the answer any more: the search stops, and nothing is recorded. */
  readonly signal?: AbortSignal | undefined;
}

export interface LookParts extends QueryParts {
  readonly embedder: Embedder;
  readonly searched: Searched;
  readonly vault: Vault;
  readonly ownWrites: OwnWrites;
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Reads the texts of hits, in this read or on a replica that has everything that was committed before. */
  readWithin<T>(workspaceId: string, tx: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The same as a read of its own. */
  readList<T>(workspaceId: string, work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** The words of a query in the searched namespaces, with the filter as SQL. */
interface Prepared {
  readonly words: readonly QueryWord[];
  readonly condition: Wanted['condition'];
  /** How many invalidated memories match, which are no hits. */
  readonly invalidated: number;
  readonly isRebuilding: boolean;
}

/**
 * Finds the hits for a query, of which nothing is recorded yet. All of it is one read where the embedder and the index are in this
 * process and in its database. No read waits for another server.
 * @throws Refusal search_unavailable
 */
export async function look(parts: LookParts, caller: Caller, request: SearchRequest) {
  const { workspaceId } = caller;
  const { embedder, read, searched, ownWrites } = parts;
  const { index } = searched;
  const readFirst: LookParts['read'] = (work) =>
    request.waits ? ownWrites.read(caller, work, request.signal) : read(work);
  const refused = await refusedVector(parts, workspaceId, request.query);
  if (embedder.isQuick && index.within) {
    const { within } = index;
    return readFirst(async (tx) => {
      const prepared = await prepare(tx, parts, workspaceId, request);
      const asked = await askedOf(parts, workspaceId, request, prepared, refused);
      return hitsOf(tx, parts, caller, request, asked, within(tx, asked.search, prepared));
    });
  }
  const prepared = await readFirst((tx) => prepare(tx, parts, workspaceId, request));
  request.signal?.throwIfAborted();
  const asked = await askedOf(parts, workspaceId, request, prepared, refused);
  return index.find(read, asked.search, (tx, found) => hitsOf(tx, parts, caller, request, asked, found));
}

async function prepare(
  tx: Transaction,
  { searched }: LookParts,
  workspaceId: string,
  request: SearchRequest,
): Promise<Prepared> {
  const { query, namespaceIds, filter, agentId } = request;
  const classes = classesOf(query);
  const [state, tokens, range] = await Promise.all([
    indexState(tx, searched.cache, workspaceId, namespaceIds),
    queryTokens(tx, searched.cache, namespaceIds, classes),
    rangeOf(tx, workspaceId, filter),
  ]);
  const condition = filterSql(filter, agentId, range, state.reinstated);
  const [words, invalidated] = await Promise.all([
    queryWords(tx, searched.cache, classes, tokens, condition),
    invalidatedLeftOut(tx, searched.cache, { request, range }, { classes, tokens }),
  ]);
  request.signal?.throwIfAborted();
  return { words, condition, invalidated, isRebuilding: state.isRebuilding };
}

/** A range that contains the numbers of all memories of the times that the filter names; undefined without such times. */
async function rangeOf(tx: Transaction, workspaceId: string, { leaves }: Filter) {
  const { created_after: since, created_before: until } = leaves;
  return since || until ? seqsOf(tx, workspaceId, { since, until }) : undefined;
}

/** The question of a search to the index, with the words that it is ranked by. */
interface Asked extends Prepared {
  readonly search: SearchQuery;
  readonly weights: ReadonlyMap<string, number>;
  /** The reason why there is no vector of the query; null if there is one. */
  readonly unembedded: Degraded | null;
}

/** @param refused the reason why the query may not be embedded */
async function askedOf(
  parts: LookParts,
  workspaceId: string,
  { query, namespaceIds, filter, agentId, signal }: SearchRequest,
  prepared: Prepared,
  refused: Degraded | null,
): Promise<Asked> {
  const { embedder, arms } = parts;
  const { words, condition } = prepared;
  const terms = termsOfWords(words);
  const weights = wordWeights(query, words);
  const queried = refused ?? (await vectorOf(parts, query, weights));
  signal?.throwIfAborted();
  const vector = typeof queried === 'string' ? null : queried;
  const search: SearchQuery = {
    workspaceId,
    namespaceIds,
    filter: { tree: filter, agentId },
    condition,
    vector: vector && { namespaceIds, model: embedder.model, vector },
    words: arms.includes('keyword') ? { namespaceIds, terms, budget: postingsBudget, bm25 } : null,
    signal,
  };
  return { ...prepared, search, weights, unembedded: typeof queried === 'string' ? queried : null };
}

async function hitsOf(
  tx: Transaction,
  parts: LookParts,
  { workspaceId, namespaceIds: reached }: Caller,
  request: SearchRequest,
  { search, words, weights, unembedded, invalidated }: Asked,
  found: Found,
) {
  const { embedder, searched } = parts;
  const { query, k } = request;
  const [candidates, degraded] = await Promise.all([
    candidatesOf(tx, searched.cache, search, found, { embedder, query, weights }),
    degradedOf(tx, parts, search, found, unembedded),
  ]);
  request.signal?.throwIfAborted();
  const { floor } = embedder;
  const later: LookParts['read'] = (work) => parts.readList(workspaceId, work);
  const hits = hitReader((work) => parts.readWithin(workspaceId, tx, work), { ...parts, read: later, reached });
  const best = await rankedOf(
    tx,
    searched.cache,
    { query, words, search, floor, best: { ...request.hits, k } },
    candidates,
    hits.texts,
  );
  const mode = !candidates.dense ? 'keyword' : candidates.keyword ? 'fused' : 'dense';
  return { mode, degraded, hits: await hits.shaped(best), ranked: best.length, invalidated } as const;
}
