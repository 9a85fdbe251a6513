export { type SearchCache, searchCache } from './cache.js';
export { type DenseQuery, denseCandidates } from './dense.js';
export { type KeywordQuery, keywordCandidates, lexemes, matchedTerms } from './keyword.js';
export { foundAmong, type Neighbour, neighboursOf } from './neighbours.js';
export { type Arm, everything, type Filter, type Hit } from './scope.js';
export { type Term, termsOf } from './terms.js';
