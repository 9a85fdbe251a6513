import { invalidatedSentence } from '../../contracts/invalidation.js';
import { type MemoryView, memoriesByIds, rankedByIds, type SummaryRow } from '../../projections/memory/queries.js';
import { isObject, parsedJson, RawJson } from '../base/json-text.js';
import type { Database, Transaction } from '../database/database.js';
import { whoIn } from '../domain/rank/facts.js';
import { type Ranked, whyOf } from '../domain/rank/why.js';
import { invalidationShape } from './memory-shape.js';
import { longestCompared } from './search-newest.js';
import type { ReadTexts } from './search-ranking.js';
import { parts, type Vault, withContent } from './vault.js';

export type SearchHit = ReturnType<typeof hitOf>;

interface HitParts {
  readonly vault: Vault;
  readonly read: Database['read'];
  /** The namespaces that the caller may read. */
  readonly reached: readonly string[];
}

interface HitReader {
  readonly texts: ReadTexts;
  /**
   * The hits, best first. Those whose contents are about a MiB together are read within the read of the search; what follows them
   * is read a MiB at a time and only on demand, because few of fifty long texts fit into an answer.
   */
  shaped(ranked: readonly Ranked[]): Promise<AsyncIterable<SearchHit>>;
}

/** Reads what a search shows. A memory is read once, also where its text decides about the order of the hits. */
export function hitReader(
  reading: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>,
  { vault, read: readLater, reached }: HitParts,
): HitReader {
  const rows = new Map<string, SummaryRow | null>();

  async function read(ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !rows.has(id));
    if (missing.length === 0) return;
    for (const id of missing) rows.set(id, null);
    for (const row of await reading((tx) => rankedByIds(tx, missing, longestCompared))) rows.set(row.id, row);
  }

  async function* shapedOf(page: readonly MemoryView[], places: ReadonlyMap<string, Ranked>) {
    // One whose text is not what its receipt commits to is left out.
    for (const memory of await vault.genuine(page)) {
      const place = places.get(memory.id);
      if (place) yield hitOf(place, memory, reached);
    }
  }

  async function* all(found: readonly SummaryRow[], places: ReadonlyMap<string, Ranked>) {
    const without = found.findIndex(({ content }) => content === null);
    const end = without < 0 ? found.length : without;
    yield* shapedOf(found.slice(0, end).flatMap(withContent), places);
    for (const ids of parts(found.slice(end))) {
      const later = new Map((await readLater((tx) => memoriesByIds(tx, ids))).map((row) => [row.id, row]));
      // Deleted since it was ranked: gone means gone.
      yield* shapedOf(
        ids.flatMap((id) => later.get(id) ?? []),
        places,
      );
    }
  }

  return {
    async texts(ids) {
      await read(ids);
      return ids.flatMap((id) => {
        const row = rows.get(id);
        if (!row || row.content === null || row.size > longestCompared) return [];
        return [{ id, content: row.content, invalidated: row.invalidated }];
      });
    },
    async shaped(ranked) {
      await read(ranked.map(({ memoryId }) => memoryId));
      const places = new Map(ranked.map((place) => [place.memoryId, place]));
      return all(
        ranked.flatMap(({ memoryId }) => rows.get(memoryId) ?? []),
        places,
      );
    },
  };
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
