import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../http/ask.js';
import { apiKey, eagerWorld, type Service, startService } from '../../../http/service.js';
import { lookAt, until } from '../../../search/elasticsearch/cluster.js';
import { gateTo } from '../../../search/elasticsearch/gate.js';
import { elasticsearchUrl } from '../../../support/engines.js';

const content = 'The lighthouse keeper feeds nine cats';

describe.each(['on', 'off'] as const)('SEARCH_FALLBACK=%s', (fallback) => {
  const cluster = lookAt(elasticsearchUrl());
  let gate: Awaited<ReturnType<typeof gateTo>>;
  let service: Service;

  beforeAll(async () => {
    gate = await gateTo(elasticsearchUrl());
    service = await startService(
      { ...cluster.env, ELASTICSEARCH_URL: gate.url, SEARCH_FALLBACK: fallback },
      eagerWorld,
    );
    expect((await service.call('POST', '/v1/memories', { content })).status).toBe(202);
    await until('Elasticsearch finds it', isWhole, 60_000);
  });
  afterAll(async () => {
    await service?.stop();
    gate?.close();
    await cluster.remove();
  });

  const search = () =>
    ask(service.app.server.listeningOrigin, 'POST', '/v1/memories/search', {
      headers: { authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ query: 'lighthouse cats' }),
    });
  /** Elasticsearch may hold the memory a moment before the database knows that nothing is missing there. */
  async function isWhole(): Promise<boolean> {
    const { status, json } = await search();
    return status === 200 && json.degraded.length === 0 && json.data[0]?.content === content;
  }

  // @covers ESR-FALLBACK ESR-NO-ARM
  it('says what was searched while Elasticsearch is away, and uses it again when it is back', async () => {
    const before = (await search()).json;
    expect(before).toMatchObject({ mode: 'fused', degraded: [], data: [{ content }] });
    gate.fail(() => ({ status: 503 }));
    const { status, json, headers } = await search();
    if (fallback === 'on') {
      expect(status).toBe(200);
      const [hit] = json.data;
      expect(hit).toMatchObject({ content, score: before.data[0].score, why: before.data[0].why });
    } else {
      expect([status, json.error.code]).toEqual([503, 'search_unavailable']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    gate.fail(() => undefined);
    await until('it is searched again', isWhole, 60_000);
    expect((await search()).json).toMatchObject({ mode: 'fused', degraded: [] });
  });
});
