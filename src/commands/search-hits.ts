import { invalidatedSentence } from '../../contracts/invalidation.js';
import { type MemoryView, memoriesByIds, rankedByIds } from '../../projections/memory/queries.js';
import { isObject, parsedJson, RawJson } from '../base/json-text.js';
import type { Database, Transaction } from '../database/database.js';
import { whoIn } from '../domain/rank/facts.js';
import { type Ranked, whyOf } from '../domain/rank/why.js';
import { invalidationShape } from './memory-shape.js';
import { parts, type Vault, withContent } from './vault.js';

export type SearchHit = ReturnType<typeof hitOf>;

interface HitParts {
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
  { vault, read, reached }: HitParts,
  ranked: readonly Ranked[],
): Promise<AsyncIterable<SearchHit>> {
  const places = new Map(ranked.map((place) => [place.memoryId, place]));
  const rows = ranked.length === 0 ? [] : await rankedByIds(tx, [...places.keys()]);
  const first = rows.flatMap(withContent);
  async function* shaped(page: readonly MemoryView[]) {
    // One whose text is not what its receipt commits to is left out.
    for (const memory of await vault.genuine(page)) {
      const place = places.get(memory.id);
      if (place) yield hitOf(place, memory, reached);
    }
  }
  return (async function* hits() {
    yield* shaped(first);
    for (const ids of parts(rows.filter((row) => row.content === null))) {
      const found = new Map((await read((later) => memoriesByIds(later, ids))).map((row) => [row.id, row]));
      // Deleted since it was ranked: gone means gone.
      yield* shaped(ids.flatMap((id) => found.get(id) ?? []));
    }
  })();
}

function nameIn({ metadata, content }: { readonly metadata: string; readonly content: string }): string | null {
  const read = parsedJson(metadata);
  return whoIn(isObject(read) ? read : {}, content);
}

function hitOf(place: Ranked, memory: MemoryView, reached: readonly string[]) {
  const { score, dense, keyword, neighbours, matched } = place;
  const { user_id, agent_id, app_id, run_id } = memory;
  const why = whyOf(place, place.helped.isNamed ? nameIn(memory) : null);
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
