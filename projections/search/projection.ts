import { gather, inOrder, type Projection } from '../projection.js';
import { indexedAtWrite } from './at-write.js';
import { moveDocuments } from './move.js';
import { dropDocuments, noteChanged } from './removal.js';
import { ddl, reveals, tables } from './tables.js';

/**
 * This projection removes memories from the search read model and moves them in it. It adds those that were prepared before their
 * append. The ingest pipeline adds all others, because that needs the vectors of an embedder, and a projection must not use the network.
 */
export const searchProjection: Projection = {
  name: 'search',
  version: 8,
  tables,
  reveals,
  ddl,
  fold: inOrder(
    indexedAtWrite,
    gather({ 'memory.delete': ({ entry }) => [entry.body.memory_id] }, dropDocuments),
    gather({ 'memory.moved': ({ entry }) => [entry.body.memory_id] }, moveDocuments),
    gather(
      {
        'memory.invalidated': ({ entry }) => [entry.body.memory_id],
        'memory.reinstated': ({ entry }) => [entry.body.memory_id],
        'memory.promoted': ({ entry }) => [entry.body.memory_id],
      },
      noteChanged,
    ),
  ),
};
