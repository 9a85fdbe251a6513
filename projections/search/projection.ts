import type { Projection } from '../projection.js';
import { moveDocuments } from './move.js';
import { dropDocuments } from './removal.js';
import { ddl, tables } from './tables.js';

/**
 * The ledger only takes memories out of the search read model and moves them in it. What puts them in is the ingest pipeline, because it has
 * to ask an embedder, which a projection never does.
 */
export const searchProjection: Projection = {
  name: 'search',
  version: 4,
  tables,
  ddl,
  async apply(tx, recorded) {
    const gone = recorded.flatMap(({ entry }) => (entry.kind === 'memory.delete' ? entry.body.memory_id : []));
    if (gone.length > 0) await dropDocuments(tx, gone);
    const moved = recorded.flatMap(({ entry }) => (entry.kind === 'memory.moved' ? entry.body.memory_id : []));
    if (moved.length > 0) await moveDocuments(tx, moved);
  },
};
