import { expect, test } from 'vitest';
import { documentsOf } from '../../src/adapters/elasticsearch/document.js';

// @covers ESW-DOCUMENTS
test('each chunk has a document with the levels of its code, except when all of them are zero', () => {
  const chunks = [Int8Array.of(0, 0), Int8Array.of(-7, 3), Int8Array.of(0, 0)];
  const memory = {
    memoryId: 'm',
    workspaceId: 'w',
    namespaceId: 'n',
    agentId: null,
    source: null,
    createdAt: 1,
    seq: 2,
  };
  const documents = documentsOf({
    ...memory,
    words: '5 5',
    chunks: chunks.map((levels, ordinal) => ({ ordinal, levels })),
  });
  const common = { workspace: 'w', namespace: 'n', memory: 'm', time: 1, seq: 2 };
  expect(documents.map(({ json }) => JSON.parse(json))).toEqual([
    { ...common, chunk: 0, words: '5 5' },
    { ...common, chunk: 1, vector: [-7, 3] },
  ]);
});
