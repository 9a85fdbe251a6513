import { invalidatedSentence } from '../../contracts/invalidation.js';
import { type MemoryView, memoriesByIds, rankedByIds } from '../../projections/memory/queries.js';
import { matchedTerms, type Searched, type Term } from '../../projections/search/queries.js';
import { isObject, parsedJson, RawJson } from '../base/json-text.js';
import type { Database, Transaction } from '../database/database.js';
import { whoIn } from '../domain/rank/facts.js';
import { type Ranked, whyOf } from '../domain/rank/why.js';
import { invalidationShape } from './memory-shape.js';
import { shownTerm } from './search-ranking.js';
import { parts, type Vault, withContent } from './vault.js';

export type SearchHit = ReturnType<typeof hitOf>;

interface HitParts {
  readonly searched: Searched;
  readonly vault: Vault;
  readonly read: Database['read'];
  /** The namespaces that the caller may read. */
  readonly reached: readonly string[];
}

/**
 * The hits of a search, best first. Those whose contents are about a MiB together are read in `tx`; what follows them is read
 * a MiB at a time and only on demand, because few of fifty long texts fit into an answer.
 */
export async function readHits(
  tx: Transaction,
  { searched, vault, read, reached }: HitParts,
  ranked: readonly Ranked[],
  terms: readonly Term[],
): Promise<AsyncIterable<SearchHit>> {
  const places = new Map(ranked.map((place) => [place.memoryId, place]));
  const rows = ranked.length === 0 ? [] : await rankedByIds(tx, [...places.keys()]);
  const matched = (reading: Transaction, page: readonly MemoryView[]) =>
    matchedTerms(reading, searched.cache, page.map(placeOf), terms);
  const first = rows.flatMap(withContent);
  const ofFirst = await matched(tx, first);
  async function* shaped(page: readonly MemoryView[], of: (place: ReturnType<typeof placeOf>) => Term[]) {
    // One whose text is not what its receipt commits to is left out.
    for (const memory of await vault.genuine(page)) {
      const place = places.get(memory.id);
      if (place) yield hitOf(place, memory, [...new Set(of(placeOf(memory)).map(shownTerm))], reached);
    }
  }
  return (async function* hits() {
    yield* shaped(first, ofFirst);
    for (const ids of parts(rows.filter((row) => row.content === null))) {
      const { page, of } = await read(async (later) => {
        const found = new Map((await memoriesByIds(later, ids)).map((row) => [row.id, row]));
        // Deleted since it was ranked: gone means gone.
        const inOrder = ids.flatMap((id) => found.get(id) ?? []);
        return { page: inOrder, of: await matched(later, inOrder) };
      });
      yield* shaped(page, of);
    }
  })();
}

const placeOf = ({ namespace_id, seq }: MemoryView) => ({ namespaceId: namespace_id, seq });

function nameIn({ metadata, content }: { readonly metadata: string; readonly content: string }): string | null {
  const read = parsedJson(metadata);
  return whoIn(isObject(read) ? read : {}, content);
}

function hitOf(place: Ranked, memory: MemoryView, matched: readonly string[], reached: readonly string[]) {
  const { score, dense, keyword, neighbours } = place;
  const { user_id, agent_id, app_id, run_id } = memory;
  const why = whyOf(place, matched, place.helped.isNamed ? nameIn(memory) : null);
  const invalidated = memory.invalidation && invalidationShape(memory.invalidation, reached);
  return {
    memory_id: memory.id,
    namespace_id: memory.namespace_id,
    receipt_id: memory.receipt_id,
    receipt_hash: memory.receipt_hash,
    content: memory.content,
    truncated: false,
    score,
    why: invalidated ? `${why} ${invalidatedSentence(invalidated)}` : why,
    signals: { dense, keyword, neighbours, matched },
    metadata: new RawJson(memory.metadata),
    source: memory.source,
    provenance: { user_id, agent_id, app_id, run_id },
    created_at: memory.created_at,
    ...(invalidated && { invalidated }),
  };
}
