import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { feedNames } from '../../../../src/domain/market/feeds/all.js';
import { ask } from '../../../http/ask.js';
import { usePeople } from '../../../http/people.js';
import { taskReceipt } from '../../../http/task-receipt.js';
import { stores } from '../../../support/stores.js';

const minute = 60_000;

/** A request as it is on the wire: `fetch` would decompress the answer. */
const codings = { identity: (bytes: Buffer) => bytes, gzip: gunzipSync, br: brotliDecompressSync } as const;

describe.each(stores)('public feeds on %s', () => {
  const people = usePeople();
  const origin = () => people.service().app.server.listeningOrigin;
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    people.service().app.server.inject({ method: 'GET', url: path, headers, ...(method === 'HEAD' ? { method } : {}) });
  const feed = async (name: string) => (await ask(origin(), 'GET', `/v1/${name}`)).json;

  // @covers FEED-EMPTY FEED-HEADERS
  it('are empty and well formed without public receipts, and may be kept for a minute by everybody', async () => {
    for (const name of feedNames) {
      const { headers, json } = await ask(origin(), 'GET', `/v1/${name}`, {
        headers: { authorization: 'Bearer ak_no' },
      });
      const { as_of, evidence } = json.summary ?? json.stats;
      expect(as_of).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
      expect(evidence).toMatchObject({ receipts: 0 });
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'public, max-age=60, s-maxage=60',
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': '*',
        vary: 'accept-encoding',
      });
      expect(headers.get('access-control-expose-headers')).toContain('etag');
    }
  });

  // @covers FEED-ETAG FEED-ENCODING FEED-HEAD FEED-PREFLIGHT
  it('have one ETag for each encoding, by which a client learns that nothing has changed', async () => {
    const etags = new Set<string>();
    for (const [coding, decode] of Object.entries(codings)) {
      const whole = await get('/v1/terminal', { 'accept-encoding': coding });
      expect(whole.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
      expect(JSON.parse(decode(whole.rawPayload).toString('utf8'))).toHaveProperty('summary');
      const etag = String(whole.headers.etag);
      expect(etag).toMatch(/^"[\w-]{22}"$/);
      etags.add(etag);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const same = await get('/v1/terminal', { 'accept-encoding': coding, 'if-none-match': known });
        expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', etag]);
        expect(same.headers['cache-control']).toBe('public, max-age=60, s-maxage=60');
      }
      const head = await get('/v1/terminal', { 'accept-encoding': coding }, 'HEAD');
      expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', etag]);
      expect(head.headers['content-length']).toBe(String(whole.rawPayload.length));
    }
    expect(etags.size).toBe(3);
    const preflight = await ask(origin(), 'OPTIONS', '/v1/terminal', { headers: { origin: 'https://other.example' } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('if-none-match');
  });

  // @covers FEED-QUERY
  it('refuse parameters that they do not have, values that are wrong, and what is given twice', async () => {
    const wrong = [
      'terminal?q=a',
      'trading?',
      'discovery?sector=none',
      'discovery?verified=yes',
      'discovery?q=a&q=b',
      'discovery?capability=Not-A-Slug',
      `discovery?q=${'a'.repeat(201)}`,
      'standards/disputes?tier=1',
      'standards/disputes?q=a',
    ];
    for (const path of wrong.filter((one) => one !== 'trading?')) {
      const { status, headers, json } = await ask(origin(), 'GET', `/v1/${path}`);
      expect([path, status, json.error.code]).toEqual([path, 400, 'invalid_request']);
      expect(headers.get('cache-control')).toBe('public, max-age=60, s-maxage=60');
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
    const filtered = 'discovery?q=a&sector=build&capability=code-review&verified=true';
    for (const path of ['trading?', filtered, 'standards/disputes?ruling=split&respondent=x']) {
      expect([path, (await ask(origin(), 'GET', `/v1/${path}`)).status]).toEqual([path, 200]);
    }
  });

  // @covers FEED-MINUTE FEED-EVERY-RECEIPT FEED-CLOCK-BACK
  it('show a public receipt in the next minute, and never go back', async () => {
    await people.as('admin').call('PATCH', '/v1/workspace', { publish_task_receipts: true });
    const market = { schema: 'counterfoil-market/1', capability: 'code-review' };
    const now = new Date().toISOString();
    const submit = async () => {
      const task = taskReceipt({ market, cost_usd: 0.25, started_at: now, ended_at: now });
      expect((await people.service().call('POST', '/v1/receipts', task)).status).toBe(201);
    };
    for (let count = 0; count < 3; count += 1) await submit();
    expect((await feed('terminal')).summary.evidence.receipts).toBe(0);
    people.ahead(2 * minute);
    const receipts = async () => (await feed('terminal')).summary.evidence.receipts;
    await expect.poll(receipts).toBe(3);
    const { summary, tickers } = await feed('terminal');
    expect(tickers).toMatchObject([{ symbol: 'CODE.REVIEW' }]);
    const found = await feed('discovery?q=code.rev');
    expect(found.stats.lists.agents.total).toBe(1);
    expect((await feed('discovery?q=nothing')).agents).toEqual([]);
    people.ahead(0);
    await submit();
    people.ahead(minute);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect((await feed('terminal')).summary).toEqual(summary);
    people.ahead(4 * minute);
    await expect.poll(receipts).toBe(4);
    const metrics = (await people.service().call('GET', '/metrics')).text;
    expect(metrics).toMatch(/^counterfoil_feeds_receipts_waiting 0$/m);
  });
});
