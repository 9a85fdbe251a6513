import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterEach } from 'vitest';
import { openCluster } from '../../src/adapters/elasticsearch/client.js';

export type Answer = (path: string, reply: (status: number, body: object) => void) => void;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A cluster that answers as a test says, because a real one does not keep deleted documents on demand. */
export async function clusterThat(answer: Answer) {
  const reply = (response: ServerResponse) => (status: number, body: object) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' });
    response.end(JSON.stringify(body));
  };
  const server = createServer((request, response) => answer(request.url ?? '', reply(response)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  const cluster = openCluster({
    url: `http://127.0.0.1:${address.port}`,
    apiKey: undefined,
    ca: undefined,
    indexPrefix: 'test',
    shards: 1,
    replicas: undefined,
    fallback: true,
  });
  ends.push(async () => {
    await cluster.close();
    server.closeAllConnections();
    server.close();
  });
  return cluster;
}

/**
 * The leftovers in every index: deleted documents in the segment of one kind, open readers, and copies that do not answer.
 * @param kind whether searches see the segment with the deleted documents, and whether the last commit has it
 */
export const counted =
  (deleted: number, readers: number, failed: number, kind = { search: false, committed: true }): Answer =>
  (path, reply) => {
    const _shards = { total: 1, successful: 1 - failed, failed };
    if (path.includes('_stats'))
      return reply(200, { _shards, _all: { total: { search: { open_contexts: readers } } } });
    if (!path.includes('_segments')) return reply(200, {});
    const segments = {
      _0: { num_docs: 7, deleted_docs: 0, search: true, committed: true },
      _1: { num_docs: 0, deleted_docs: deleted, ...kind },
    };
    reply(200, { _shards, indices: { index: { shards: { 0: [{ segments }] } } } });
  };
