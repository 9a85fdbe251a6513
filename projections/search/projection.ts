import type { Projection } from '../projection.js';
import { moveDocuments } from './move.js';
import { dropDocuments } from './removal.js';
import { ddl, reveals, tables } from './tables.js';

/**
 * This projection only removes memories from the search read model and moves them in it. The ingest pipeline adds them, because
 * that needs the vectors of an embedder, and a projection must not use the network.
 */
export const searchProjection: Projection = {
  name: 'search',
  version: 6,
  tables,
  reveals,
  ddl,
  async apply(tx, recorded) {
    const deleted = recorded.flatMap(({ entry }) => (entry.kind === 'memory.delete' ? entry.body.memory_id : []));
    if (deleted.length > 0) await dropDocuments(tx, deleted);
    const moved = recorded.flatMap(({ entry }) => (entry.kind === 'memory.moved' ? entry.body.memory_id : []));
    if (moved.length > 0) await moveDocuments(tx, moved);
  },
};
