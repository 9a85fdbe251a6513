export { type CodeCache, codeCache, type DenseHit, type DenseQuery, denseCandidates } from './dense.js';
export { type KeywordHit, type KeywordQuery, keywordCandidates, lexemes, matchedTerms } from './keyword.js';
export { foundAmong, type Neighbour, neighboursOf } from './neighbours.js';
export { everything, type Filter } from './scope.js';
export { type Term, termsOf } from './terms.js';
