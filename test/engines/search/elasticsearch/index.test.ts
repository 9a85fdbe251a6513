import { afterAll, beforeAll } from 'vitest';
import { databaseIndex, engineIndex } from '../../../../projections/search/queries.js';
import { openCopy } from '../../../search/elasticsearch/copy.js';
import { searchIndexContract } from '../../../search/index-contract.js';

const copy = openCopy();
beforeAll(() => copy.make());
afterAll(() => copy.remove());

// The rules of the contract are those of ESR-CANDIDATES.
searchIndexContract('candidates from Elasticsearch', (store, cache) => ({
  index: engineIndex({
    engine: copy.engine,
    copyOf: copy.copyOf,
    database: databaseIndex({ cache, reembedding: () => true }),
    fallback: false,
  }),
  current: () => copy.copy(store.database),
}));
