import { databaseIndex, type SearchCache, type Searched, searchCache } from '../../projections/search/queries.js';

/** The index in the tables of the database, while no memory is embedded again. */
export const searchedWith = (cache: SearchCache = searchCache()): Searched => ({
  cache,
  index: databaseIndex({ cache, reembedding: () => false }),
});
