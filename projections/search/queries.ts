export { type SearchCache, searchCache } from './cache.js';
export { type DenseQuery, denseCandidates } from './dense.js';
export { removeDocuments } from './index.js';
export { type KeywordQuery, keywordCandidates, lexemes, matchedTerms } from './keyword.js';
export { type Match, matchingMemories } from './matching.js';
export { foundAmong, type Neighbour, neighboursOf } from './neighbours.js';
export { type Arm, everything, type Filter, type Hit } from './scope.js';
export { type Term, termsOf } from './terms.js';
