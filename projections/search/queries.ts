export { type SearchCache, searchCache } from './cache.js';
export { type DenseQuery, denseCandidates } from './dense.js';
export { removeDocuments } from './index.js';
export { type KeywordQuery, keywordCandidates, lexemes, matchedTerms } from './keyword.js';
export { type Match, matchingMemories, type WordList } from './matching.js';
export { foundAmong, type Neighbour, neighboursOf } from './neighbours.js';
export { everything, type Filter } from './passing.js';
export type { Arm, Hit } from './scope.js';
export { type Term, termsOf } from './terms.js';
