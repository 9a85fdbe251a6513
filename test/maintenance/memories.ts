import pino from 'pino';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { createForIndex } from '../../src/workers/for-index.js';
import { prepareInSlices } from '../../src/workers/indexing.js';

export const memoryOf = (content: string, metadata = '{}') => ({
  content,
  metadata,
  source: 'test',
  label: null,
  namespace: undefined,
  sensitive: {},
  playground: false,
  approvalId: undefined,
});

/** With the text that this returns, a memory is in the search index from its write on. */
export const forIndex = createForIndex({
  embedder: lexicalEmbedder(),
  prepare: prepareInSlices(),
  log: pino({ level: 'silent' }),
});
