import type { IndexableText } from '../../contracts/entries/indexable.js';
import { type Fold, together } from '../projection.js';
import type { SearchDocument } from './document.js';
import { addNewDocuments, type NewDocument } from './index.js';
import { storedVectors } from './vector-index.js';

/**
 * Indexes new memories in the transaction of their append, so that searches find them from the commit on. Words and vectors are computed
 * before the append (see src/workers/for-index.ts), because other writers of the workspace wait for this transaction. A memory without
 * them is indexed by its job. A replay never has them: the index is built again from the memories and not from entries.
 */
export const indexedAtWrite: Fold = together({
  begin: (): Changes => ({ written: [], deleted: new Set() }),
  on: {
    'memory.write': ({ written }, { entry: { body, seq }, indexable }) => {
      if (indexable) written.push({ ...indexable, seq, memoryId: body.memory_id, namespaceId: body.namespace_id });
    },
    'memory.delete': ({ deleted }, { entry }) => deleted.add(entry.body.memory_id),
  },
  write: (tx, { written, deleted }) =>
    addNewDocuments(
      tx,
      written.filter(({ memoryId }) => !deleted.has(memoryId)),
    ),
});

/** The changes by the entries of one append. A memory that is written and deleted in it has no row, and is not indexed. */
interface Changes {
  readonly written: NewDocument[];
  readonly deleted: Set<string>;
}

/** The document in the form in which it can wait for the append. */
export const indexableText = ({
  model,
  parts,
  facts,
  chunks,
}: Pick<SearchDocument, 'model' | 'parts' | 'facts' | 'chunks'>): IndexableText => ({
  model,
  parts,
  facts,
  vectors: [...storedVectors({ model, chunks })],
});
