import { describe } from 'vitest';
import { databaseIndex } from '../../../projections/search/queries.js';
import { searchIndexContract } from '../../search/index-contract.js';
import { stores } from '../../support/stores.js';

describe.each(stores)('on %s', () => {
  searchIndexContract('the tables of the database', (_store, cache) => ({
    index: databaseIndex({ cache, reembedding: () => true }),
    current: async () => undefined,
  }));
});
