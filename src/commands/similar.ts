import { mostSimilar } from '../../contracts/similar.js';
import { excerptOf } from '../base/excerpt.js';
import type { Caller } from '../domain/caller.js';
import { noFilter } from '../domain/filters.js';
import { wordsOf } from '../domain/words.js';
import type { SearchHit } from './search-hits.js';
import { type LookParts, look } from './search-look.js';

/** A memory that says nearly the same as another one, or something else about the same. */
export interface SimilarMemory {
  readonly memory_id: string;
  readonly excerpt: string;
}

/** A memory that was written, as it is stored. */
export interface WrittenMemory {
  readonly id: string;
  readonly namespaceId: string;
  readonly content: string;
  readonly createdAt: string;
  /** Whether the write has found it there. */
  readonly duplicate: boolean;
}

/** The other memories of its namespace that are the best hits for its text. Nothing of that is recorded. */
export type FindSimilar = (caller: Caller, written: WrittenMemory) => Promise<readonly SimilarMemory[]>;

/** The first characters of the text that are looked for, the least score, and the length of an excerpt. */
const bounds = { queryCharacters: 2000, minScore: 0.35, excerptCharacters: 160 } as const;

/** Words that both have. One that is only spelt alike, or one alone, says too little without a model. */
const sharedWords = 2;

/** Hits that are looked at. */
const enough = 8;

/** Room for all texts: a hit of a MiB is cut to its excerpt here. */
const everyToken = Number.MAX_SAFE_INTEGER;

/**
 * Of a new memory only earlier ones are looked at. So words that it alone has count as words that no memory has, whether its own job
 * has made it searchable by then or not, and a text with another number or name still is the best hit.
 */
export function createFindSimilar(parts: LookParts): FindSimilar {
  return async (caller, { id, namespaceId, content, createdAt, duplicate }) => {
    const query = content.slice(0, bounds.queryCharacters).toWellFormed();
    const leaves = duplicate ? {} : { created_before: createdAt };
    const { hits } = await look(parts, caller, {
      query,
      namespaceIds: [namespaceId],
      agentId: undefined,
      k: enough,
      tokenBudget: everyToken,
      filter: { ...noFilter, leaves },
      hits: { minScore: bounds.minScore, neighbours: false },
      waits: false,
    });
    const words = Math.min(sharedWords, new Set(wordsOf(query)).size);
    const sharesEnough = ({ signals }: SearchHit) =>
      parts.embedder.nearTo === undefined || signals.matched.filter((word) => !word.includes(' ≈ ')).length >= words;
    const similar: SimilarMemory[] = [];
    for await (const hit of hits) {
      if (hit.memory_id === id || !sharesEnough(hit)) continue;
      similar.push({ memory_id: hit.memory_id, excerpt: excerptOf(hit.content, bounds.excerptCharacters) });
      if (similar.length === mostSimilar) break;
    }
    return similar;
  };
}
