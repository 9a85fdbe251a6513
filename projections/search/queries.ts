export { type Arm, denseArm, type Hit, keywordArm, type Searched, type Wanted } from './arms.js';
export { type SearchCache, searchCache, type Term } from './cache.js';
export type { Segment } from './comparison.js';
export { namesIn, segmentsOf } from './contexts.js';
export { storedCopy } from './copies/behind.js';
export { databaseIndex, databaseWriter } from './database-index.js';
export { type EngineCopy, engineIndex } from './engine-index.js';
export { floorOf } from './floors.js';
export { frequenciesAt } from './frequency.js';
export { removeDocuments } from './index.js';
export { invalidatedMatches } from './invalidated.js';
export { type Match, matchingMemories, type WordList } from './matching.js';
export { countOutdated, sizeOfVectors } from './models.js';
export { foundAmong } from './neighbours.js';
export { ownTimes } from './own-times.js';
export { everything, type Filter } from './passing.js';
export type { RankedMemory, ScoredPlace } from './place.js';
export { type QueryWord, queryTokens, queryWords, termsOfWords } from './query-words.js';
export { isRebuilding, rebuildLeft } from './rebuild-progress.js';
export {
  type EngineCandidates,
  type EnginePlaces,
  type EngineQuery,
  EngineUnavailable,
  type NearPlaces,
  type SearchEngine,
} from './search-engine.js';
export type {
  Found,
  SearchFilter,
  SearchIndex,
  SearchQuery,
  Writing,
} from './search-index.js';
export { indexState } from './states.js';
export { withoutVectors } from './step.js';
export { nearestAt } from './vectors-at.js';
