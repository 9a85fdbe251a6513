import { z } from 'zod';
import { hit, searchResult } from '../../../contracts/search.js';
import { elementTexts, memberTexts, RawJson } from '../../base/json-text.js';

const foundHit = hit.extend({ metadata: z.instanceof(RawJson) });
const foundResult = searchResult.extend({ data: z.array(foundHit) });

/** The result of a search, with the metadata of memories as they are stored. */
export type Found = z.output<typeof foundResult>;
export type FoundHit = z.output<typeof foundHit>;

/** Reads the body of an answer of a search. */
export function readFound(body: unknown): Found {
  return foundResult.parse(body instanceof RawJson ? storedResult(body.text) : body);
}

/** An answer that was stored for a repetition is JSON text as a whole. */
function storedResult(text: string): unknown {
  const data = elementTexts(memberTexts(text).get('data') ?? '[]').map((found) => ({
    ...JSON.parse(found),
    metadata: new RawJson(memberTexts(found).get('metadata') ?? '{}'),
  }));
  return { ...JSON.parse(text), data };
}

const sentences: Readonly<Record<Found['degraded'][number], string>> = {
  dense_quota: "The workspace's daily number of searches by meaning is used up, so only words were compared",
  dense_unavailable: 'The search by meaning is not available now, so only words were compared',
  dense_disabled: 'This installation has no search by meaning, so only words were compared',
  keyword_unavailable: 'The search by words is not available, so only meanings were compared',
  reindexing: 'Some memories are still being prepared for the search by meaning and may be missing',
};

/** Sentences that a model needs besides the hits of a result, and what it can do next; null where there is nothing to say. */
export function messageAbout({
  degraded,
  data,
}: Pick<Found, 'degraded'> & { data: readonly unknown[] }): string | null {
  const limits = degraded.map((reason) => `${sentences[reason]}.`);
  const byWords = degraded.some((reason) => reason.startsWith('dense_'));
  if (byWords) limits.push('Search with words that the memory itself would contain.');
  const nothing = data.length === 0 ? [nothingFound] : [];
  return [...nothing, ...limits].join(' ') || null;
}

export const nothingFound =
  'No stored memory matches this query. Search again with other words, or continue without the memory and say that it holds nothing about this.';
