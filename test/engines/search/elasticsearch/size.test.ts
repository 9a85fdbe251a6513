import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'vitest';
import { embeddingsServer } from '../../../http/embeddings-server.js';
import { eagerWorld, startService } from '../../../http/service.js';
import { lookAt, until } from '../../../search/elasticsearch/cluster.js';
import { preparedDirectory } from '../../../support/prepared-store.js';

// @covers JOB-REEMBED
it('vectors of another size get another index', async () => {
  const own = lookAt();
  const embeddings = await embeddingsServer();
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-size-'));
  await preparedDirectory(directory);
  const env = { ...own.env, ...embeddings.env, SEARCH_FALLBACK: 'off', DATA_DIR: directory };
  let on = await startService(env, eagerWorld);
  const search = async (query: string) => (await on.call('POST', '/v1/memories/search', { query })).json;
  const isComplete = (count: number) => async () => {
    const { degraded, data } = await search('abc abcdefghij wwwwww aaaaaa');
    const near = data?.filter(({ signals }: { signals: { dense: object | null } }) => signals.dense !== null);
    return degraded?.length === 0 && near.length === count;
  };
  try {
    await on.call('POST', '/v1/memories', { content: 'the lighthouse keeper sleeps' });
    await until('it is complete', isComplete(1), 60_000);
    await on.app.close();
    embeddings.state.dimensions = 12;
    on = await startService(env, eagerWorld);
    await on.call('POST', '/v1/memories', { content: 'the lighthouse keeper dances' });
    await until('it is complete again', isComplete(2), 60_000);
    await until('the earlier index is deleted', async () => (await own.indices()).length === 1);
  } finally {
    await on.stop();
    await embeddings.close();
    await own.remove();
    rmSync(directory, { recursive: true, force: true });
  }
});
