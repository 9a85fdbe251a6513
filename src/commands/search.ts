import type { Bodies } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import { filterSql } from '../../projections/memory/filter-sql.js';
import { lastReinstatement } from '../../projections/memory/queries.js';
import { seqsOf } from '../../projections/receipts/times.js';
import {
  queryTokens,
  queryWords,
  type Searched,
  type SearchQuery,
  type Term,
  termsOfWords,
  type Wanted,
} from '../../projections/search/queries.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import { type Budget, fitBudget } from '../base/budget.js';
import type { World } from '../base/world.js';
import type { Transaction } from '../database/database.js';
import type { Caller } from '../domain/caller.js';
import type { Filter, HitFilter } from '../domain/filters.js';
import { bm25 } from '../domain/rank/rank.js';
import { classesOf } from '../domain/tokens/query.js';
import { runBy } from './by-caller.js';
import type { Command } from './command.js';
import { answering, once, type RepeatedAnswer, type RequestKey } from './once.js';
import type { OwnWrites } from './own-writes.js';
import { recording } from './record.js';
import type { Run } from './run.js';
import {
  candidatesOf,
  type Degraded,
  degradedOf,
  type QueryParts,
  queryVector,
  wordWeights,
} from './search-candidates.js';
import { readHits, type SearchHit } from './search-hits.js';
import { invalidatedLeftOut, type LeftOut } from './search-left-out.js';
import { rankedOf } from './search-ranking.js';
import type { Vault } from './vault.js';

/** Postings read at most; what a search leaves out then is looked up for the best candidates. */
const postingsBudget = 200_000;

interface SearchRequest {
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

export interface SearchParts extends QueryParts {
  readonly embedder: Embedder;
  readonly run: Run;
  readonly budget: Budget;
  readonly searched: Searched;
  readonly vault: Vault;
  readonly ownWrites: OwnWrites;
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Reads the texts of hits, in this transaction or on a replica that has everything that was committed before. */
  readWithin<T>(workspaceId: string, tx: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The same outside of a transaction. */
  readList<T>(workspaceId: string, work: (tx: Transaction) => Promise<T>): Promise<T>;
}

interface SearchAnswer {
  readonly status: 200;
  readonly receipt: string;
  readonly body: {
    readonly receipt_id: string;
    readonly receipt_hash: string;
    readonly mode: 'fused' | 'keyword' | 'dense';
    readonly degraded: readonly Degraded[];
    readonly data: readonly SearchHit[];
    readonly left_out: LeftOut;
    readonly tokens_used: number;
    readonly token_budget: number;
  };
}

export type Search = (
  caller: Caller,
  request: SearchRequest,
  key: RequestKey,
) => Promise<SearchAnswer | RepeatedAnswer>;

/** Searches, then records what was found. Without the receipt there are no hits: no caller learns what is not on record. */
export function createSearch(parts: SearchParts): Search {
  return async (caller, request, key) => {
    const found = await look(parts, caller, request);
    const { tokenBudget: token_budget, k, query } = request;
    const { hits, tokensUsed: tokens_used, isWhole } = await fitBudget(parts.budget, found.hits, token_budget);
    const left_out = { budget: isWhole ? 0 : found.ranked - hits.length, invalidated: found.invalidated };
    request.signal?.throwIfAborted();
    const { mode, degraded } = found;
    const command = recordRecall(parts.world, caller, query, {
      namespace_ids: request.namespaceIds,
      mode,
      degraded,
      k,
      results: hits.map(({ memory_id, receipt_hash }) => ({ memory_id, receipt_hash })),
    });
    const answered = answering(command, (receipt) => ({
      status: 200,
      receipt: receipt.receipt_id,
      body: { ...receipt, mode, degraded, data: hits, left_out, tokens_used, token_budget },
    }));
    const shows = { receipts: () => hits.map(({ receipt_id }) => receipt_id) };
    const run = runBy(parts.run, caller, 'memory.read');
    return run(caller.workspaceId, once(answered, key, shows)).catch(unrecorded);
  };
}

/** Records what a search gave to whom: one memory.recall entry. The query's salt is kept, the query itself is not. */
export function recordRecall(
  world: World,
  caller: Caller,
  query: string,
  recall: Omit<Bodies['memory.recall'], 'query_commitment'>,
): Command<{ receipt_id: string; receipt_hash: string }> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: {},
    decide() {
      const body = { ...recall, query_commitment: record.commit(query) };
      return {
        ...record.effects({ kind: 'memory.recall', body }, {}),
        answer: ([linked]) => ({ receipt_id: record.receipt, receipt_hash: linked?.hash ?? '' }),
      };
    },
  };
}

/** Passes on a refusal of the request itself, and gives a failure of the store the code that searches have for it. */
function unrecorded(error: unknown): never {
  const refused = error instanceof Refusal && error.code !== 'receipt_unavailable';
  throw refused ? error : new Refusal('recall_receipt_unavailable', undefined, {}, { cause: error });
}

/** Finds the hits for a query, of which nothing is recorded yet. @throws Refusal search_unavailable */
export async function look(parts: SearchParts, caller: Caller, request: SearchRequest) {
  const { workspaceId, namespaceIds: reached } = caller;
  const { embedder, read, searched, ownWrites } = parts;
  const readFirst: SearchParts['read'] = (work) =>
    request.waits ? ownWrites.read(caller, work, request.signal) : read(work);
  const { words, condition, invalidated } = await readFirst(async (tx) => {
    const classes = classesOf(request.query);
    const [tokens, range, reinstatement] = await Promise.all([
      queryTokens(tx, searched.cache, request.namespaceIds, classes),
      rangeOf(tx, workspaceId, request.filter),
      lastReinstatement(tx, workspaceId),
    ]);
    const condition = filterSql(request.filter, request.agentId, range, reinstatement);
    const [words, invalidated] = await Promise.all([
      queryWords(tx, searched.cache, classes, tokens, condition),
      invalidatedLeftOut(tx, searched.cache, { request, range }, { classes, tokens }),
    ]);
    return { words, condition, invalidated };
  });
  request.signal?.throwIfAborted();
  const terms = termsOfWords(words);
  const weights = wordWeights(request.query, words);
  const queried = await queryVector(parts, workspaceId, request.query, weights);
  request.signal?.throwIfAborted();
  const vector = typeof queried === 'string' ? null : queried;
  const query = queryOf(parts, workspaceId, request, { terms, vector, condition });
  return searched.index.find(read, query, async (tx, found) => {
    const meant = { embedder, query: request.query, weights };
    const [candidates, degraded] = await Promise.all([
      candidatesOf(tx, searched.cache, query, found, meant),
      degradedOf(tx, parts, query, found, typeof queried === 'string' ? queried : null),
    ]);
    request.signal?.throwIfAborted();
    const { floor } = embedder;
    const asked = { query: request.query, words, search: query, floor, best: { ...request.hits, k: request.k } };
    const best = await rankedOf(tx, searched.cache, asked, candidates);
    const mode = !candidates.dense ? 'keyword' : candidates.keyword ? 'fused' : 'dense';
    const later: SearchParts['read'] = (work) => parts.readList(workspaceId, work);
    const hits = await parts.readWithin(workspaceId, tx, (reading) =>
      readHits(reading, { ...parts, read: later, reached }, best),
    );
    return { mode, degraded, hits, ranked: best.length, invalidated } as const;
  });
}

/** A range that contains the numbers of all memories of the times that the filter names; undefined without such times. */
async function rangeOf(tx: Transaction, workspaceId: string, { leaves }: Filter) {
  const { created_after: since, created_before: until } = leaves;
  return since || until ? seqsOf(tx, workspaceId, { since, until }) : undefined;
}

function queryOf(
  { embedder, arms }: SearchParts,
  workspaceId: string,
  { namespaceIds, filter, agentId, signal }: SearchRequest,
  { terms, vector, condition }: Prepared,
): SearchQuery {
  return {
    workspaceId,
    namespaceIds,
    filter: { tree: filter, agentId },
    condition,
    vector: vector && { namespaceIds, model: embedder.model, vector },
    words: arms.includes('keyword') ? { namespaceIds, terms, budget: postingsBudget, bm25 } : null,
    signal,
  };
}

interface Prepared {
  readonly terms: readonly Term[];
  readonly vector: Float32Array | null;
  readonly condition: Wanted['condition'];
}
