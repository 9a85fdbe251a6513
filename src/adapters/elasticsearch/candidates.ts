import type { estypes } from '@elastic/elasticsearch';
import {
  type EngineCandidates,
  type EnginePlaces,
  type EngineQuery,
  EngineUnavailable,
  type NearPlaces,
  type ScoredPlace,
  type SearchEngine,
  type Term,
} from '../../../projections/search/queries.js';
import { type CircuitBreaker, CircuitOpen } from '../circuit-breaker.js';
import { type Cluster, ElasticsearchFault } from './client.js';
import { clausesOf } from './filter.js';

/** How long a search waits for Elasticsearch. */
const deadlineMs = 1000;

/** Numbers of memories that one request names at most, over all of its searches. Above that the candidates are filtered later. */
const mostNamed = 200_000;

/** Candidates from Elasticsearch, with a deadline. */
export function elasticsearchCandidates(cluster: Cluster, breaker: CircuitBreaker): SearchEngine {
  const counts = documentCounts(cluster);
  return {
    async candidates(query) {
      const searches = searchesOf(query, counts(query.index));
      if (searches.length === 0) return candidatesOf(query, []);
      try {
        return candidatesOf(query, await breaker.run(() => ask(cluster, query, searches)));
      } catch (error) {
        query.signal?.throwIfAborted();
        if (!(error instanceof ElasticsearchFault) && !(error instanceof CircuitOpen)) throw error;
        throw new EngineUnavailable(error.message, { cause: error });
      }
    },
  };
}

interface Search {
  readonly arm: 'vector' | 'words';
  readonly namespaceId: string;
  readonly body: estypes.MsearchMultisearchBody;
}

interface Answer extends Search {
  /** Null if the search failed or was cut short. */
  readonly hits: readonly estypes.SearchHit[] | null;
}

async function ask(cluster: Cluster, { index, signal }: EngineQuery, searches: readonly Search[]): Promise<Answer[]> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const { responses } = await cluster.ask((client) =>
    client.msearch(
      { searches: searches.flatMap(({ body }) => [{ index, allow_partial_search_results: false }, body]) },
      { signal: signal ? AbortSignal.any([signal, deadline]) : deadline, requestTimeout: 2 * deadlineMs },
    ),
  );
  const answers = searches.map((search, i) => {
    const response = responses[i];
    const isWhole = response !== undefined && 'hits' in response && !response.timed_out;
    return { ...search, hits: isWhole ? response.hits.hits : null };
  });
  // When nothing was answered, the cluster counts as away.
  if (answers.every(({ hits }) => hits === null)) throw new ElasticsearchFault(503, 'no search was answered');
  return answers;
}

/** One search for each arm and namespace, so that no namespace takes the candidates of another one. */
function searchesOf(query: EngineQuery, documents: number): Search[] {
  const { workspaceId, namespaceIds, filter, among, vector, words, size } = query;
  const isNamed = among !== null && 2 * among.length * namespaceIds.length <= mostNamed;
  return namespaceIds.flatMap((namespaceId) => {
    const filters = [
      { term: { namespace: namespaceId } },
      { term: { workspace: workspaceId } },
      ...clausesOf(filter),
      ...(isNamed ? [{ terms: { seq: [...among] } }] : []),
    ];
    const terms = words?.filter((term) => term.namespace_id === namespaceId) ?? [];
    const common = {
      size,
      _source: false,
      docvalue_fields: ['seq'],
      timeout: `${deadlineMs}ms`,
      track_total_hits: false,
    };
    return [
      ...(vector
        ? [{ arm: 'vector' as const, namespaceId, body: { ...common, knn: nearest(vector, filters, size) } }]
        : []),
      ...(terms.length > 0
        ? [{ arm: 'words' as const, namespaceId, body: { ...common, query: anyOf(terms, filters, documents) } }]
        : []),
    ];
  });
}

const nearest = (
  vector: readonly number[],
  filter: estypes.QueryDslQueryContainer[],
  size: number,
): estypes.KnnSearch => ({
  field: 'vector',
  query_vector: [...vector],
  k: size,
  num_candidates: size,
  filter,
});

/**
 * Any of the words. Elasticsearch computes its scores with the number of documents of all tenants. The weights replace that by
 * the numbers of the namespace, so that its best documents are about those that the service ranks highest.
 */
function anyOf(
  terms: readonly Term[],
  filter: estypes.QueryDslQueryContainer[],
  documents: number,
): estypes.QueryDslQueryContainer {
  const should = terms.map(({ term, idf, share, frequency, documents: own }) => ({
    term: { words: { value: term, boost: (share * idf) / idfOf(Math.max(documents, own), frequency) } },
  }));
  return { bool: { filter, should, minimum_should_match: 1 } };
}

const idfOf = (documents: number, frequency: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));

function candidatesOf({ vector, words, size }: EngineQuery, answers: readonly Answer[]): EngineCandidates {
  const hitsOf = (arm: Search['arm']): NamespaceHits[] | null => {
    const own = answers.filter((answer) => answer.arm === arm);
    const all = own.flatMap(({ namespaceId, hits }) => (hits ? [{ namespaceId, hits }] : []));
    return all.length === own.length ? all : null;
  };
  const [near, matching] = [vector && hitsOf('vector'), words && hitsOf('words')];
  return { vector: near && nearPlaces(near, size), words: matching && matchingPlaces(matching, size) };
}

interface NamespaceHits {
  readonly namespaceId: string;
  /** Best first. */
  readonly hits: readonly estypes.SearchHit[];
}

/** A memory has the score of its nearest chunk. */
function nearPlaces(all: readonly NamespaceHits[], size: number): NearPlaces {
  const places = all.flatMap(({ namespaceId, hits }): ScoredPlace[] => {
    const scores = new Map(hits.toReversed().map((hit) => [seqOf(hit), scoreOf(hit)]));
    return [...scores].map(([seq, score]) => ({ namespaceId, seq, score }));
  });
  const lasts = all.flatMap(({ hits }) => (hits.length < size ? [] : hits.slice(-1).map(scoreOf)));
  return { places, rest: Math.max(Number.NEGATIVE_INFINITY, ...lasts) };
}

const scoreOf = ({ _score }: estypes.SearchHit): number => Math.fround(_score ?? 0);

const matchingPlaces = (all: readonly NamespaceHits[], size: number): EnginePlaces => ({
  places: all.flatMap(({ namespaceId, hits }) => [...new Set(hits.map(seqOf))].map((seq) => ({ namespaceId, seq }))),
  isComplete: all.every(({ hits }) => hits.length < size),
});

const seqOf = ({ fields }: estypes.SearchHit): number => Number(fields?.seq?.[0]);

/** How long a count of documents is used. It only decides which candidates are found, and a rough number is enough. */
const countMs = 60_000;

/** The number of memories in an index, of all tenants; 0 before it is known. No search waits for it. */
function documentCounts(cluster: Cluster): (index: string) => number {
  let known = { index: '', count: 0, until: 0 };
  return (index) => {
    if (known.index !== index || performance.now() > known.until) {
      known = { index, count: known.index === index ? known.count : 0, until: performance.now() + countMs };
      cluster
        .ask((client) => client.count({ index, query: { term: { chunk: 0 } } }))
        .then(({ count }) => {
          if (known.index === index) known = { ...known, count };
        })
        // The next search asks again.
        .catch(() => undefined);
    }
    return known.count;
  };
}
