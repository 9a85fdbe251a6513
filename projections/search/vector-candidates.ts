import type { Transaction } from '../../src/database/database.js';
import { BestScores } from './best-scores.js';
import type { SearchCache } from './cache.js';
import { type CodeQuery, codeQuery } from './code-query.js';
import { currentSlabs } from './current-codes.js';
import type { MayPass } from './passing.js';
import { byScoreAndPlace, type ScoredPlace } from './place.js';
import { nearestRows } from './scan.js';
import type { RankedCandidates, VectorQuery } from './search-index.js';
import type { Slab } from './slab.js';

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
  return nearest({ slabs: await currentSlabs(tx, cache, query), wanted: codeQuery(query.vector) });
}

/** The codes of all searched namespaces, and the query in the form that is compared with them. */
interface CodesInScope {
  readonly slabs: ReadonlyMap<string, Slab>;
  readonly wanted: CodeQuery;
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
