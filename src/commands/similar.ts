import { mostSimilar } from '../../contracts/similar.js';
import { excerptOf } from '../base/excerpt.js';
import { type Caller, reaches } from '../domain/caller.js';
import { noFilter } from '../domain/filters.js';
import { wordsOf } from '../domain/words.js';
import type { SearchHit } from './search-hits.js';
import { type LookParts, look } from './search-look.js';
import { storedNamespace } from './state/namespaces.js';

/** A memory that says nearly the same as another one, or something else about the same. */
export interface SimilarMemory {
  readonly memory_id: string;
  readonly excerpt: string;
}

/** A memory that will be written. */
interface ComingMemory {
  /** As it will be stored. */
  readonly content: string;
  /** The id or name that the caller gives. */
  readonly namespace: string | undefined;
}

/**
 * The memories of its namespace that are the best hits for its text, of which one may have the same text. Nothing of that is recorded.
 * @returns none for a namespace that the caller does not reach
 * @throws Refusal
 */
export type FindSimilar = (caller: Caller, coming: ComingMemory) => Promise<readonly SimilarMemory[]>;

/** The first characters of the text that are looked for, the least score, and the length of an excerpt. */
const bounds = { queryCharacters: 2000, minScore: 0.35, excerptCharacters: 160 } as const;

/** Words that both have. One that is only spelt alike, or one alone, says too little without a model. */
const sharedWords = 2;

/** Hits that are looked at. */
const enough = 8;

/** Room for all texts: a hit of a MiB is cut to its excerpt here. */
const everyToken = Number.MAX_SAFE_INTEGER;

/** As many as an answer names, and the one with the same text. */
const mostFound = mostSimilar + 1;

/**
 * It looks before the memory is written, so that words that only the new memory has count as words that no memory has: a text with
 * another number or name still is the best hit. A filter that leaves the new memory out would be one that no other search has, so that
 * nothing that is in memory could be used for it.
 */
export function createFindSimilar(parts: LookParts): FindSimilar {
  return async (caller, { content, namespace }) => {
    const found = await parts.read((tx) => storedNamespace(tx, caller.workspaceId, namespace));
    if (!found || found.deleted || !reaches(caller, found.id)) return [];
    const query = content.slice(0, bounds.queryCharacters).toWellFormed();
    const { hits } = await look(parts, caller, {
      query,
      namespaceIds: [found.id],
      agentId: undefined,
      k: enough,
      tokenBudget: everyToken,
      filter: noFilter,
      hits: { minScore: bounds.minScore, neighbours: false },
      waits: false,
    });
    const words = Math.min(sharedWords, new Set(wordsOf(query)).size);
    const sharesEnough = ({ signals }: SearchHit) =>
      parts.embedder.nearTo === undefined || signals.matched.filter((word) => !word.includes(' ≈ ')).length >= words;
    const similar: SimilarMemory[] = [];
    for await (const hit of hits) {
      if (!sharesEnough(hit)) continue;
      similar.push({ memory_id: hit.memory_id, excerpt: excerptOf(hit.content, bounds.excerptCharacters) });
      if (similar.length === mostFound) break;
    }
    return similar;
  };
}
