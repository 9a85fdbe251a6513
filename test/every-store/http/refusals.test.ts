import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../http/service.js';
import { stores } from '../../support/stores.js';

/** Everything that the memory API refuses for what is in the request. The same on every store. */
describe.each(stores)('refusals on %s', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  // @covers LIST-CURSOR-SIGNED LIST-PAGE-OR-CURSOR LIST-PAGE-OFFSET LIST-SORT ADD-UNICODE ADD-DUPLICATE-KEYS
  // @covers GET-NOT-UUID SEARCH-UNKNOWN-FIELD LIMIT-BODY ERROR-BODY ERROR-404-ROUTE ERR-invalid_json
  // @covers ERR-invalid_cursor ERR-invalid_content ERR-invalid_metadata ERR-invalid_source ERR-invalid_namespace
  // @covers ERR-invalid_sort ERR-invalid_pagination ERR-invalid_page ERR-use_cursor_pagination
  // @covers ERR-invalid_namespace_ids ERR-invalid_query ERR-invalid_agent_id ERR-invalid_k ERR-invalid_token_budget
  // @covers ERR-unknown_field ERR-invalid_request ERR-unauthorized ERR-credential_not_supported
  // @covers ERR-namespace_out_of_scope ERR-agent_not_linked ERR-route_not_found ERR-namespace_not_found
  // @covers ERR-memory_not_found ERR-job_not_found ERR-receipt_not_found ERR-body_too_large ERR-content_too_large
  // @covers ERR-metadata_too_large
  it.each<Row>([
    ['unauthorized', 401, 'GET', '/v1/memories', undefined, { authorization: '' }],
    ['unauthorized', 401, 'GET', '/v1/memories', undefined, { authorization: 'Bearer ak_wrong' }],
    ['credential_not_supported', 403, 'GET', '/v1/memories', undefined, { authorization: 'Bearer vk_1' }],
    ['agent_not_linked', 403, 'POST', '/v1/memories', { content: 'x' }, { 'x-service-agent': 'someone' }],
    ['route_not_found', 404, 'GET', '/v1/nothing'],
    ['route_not_found', 404, 'PUT', '/v1/memories', '{}'],
    ['invalid_json', 400, 'POST', '/v1/memories', '{'],
    ['invalid_json', 400, 'POST', '/v1/memories', '[]'],
    ['invalid_json', 400, 'POST', '/v1/memories', '{"content":"a","content":"b"}'],
    ['invalid_json', 400, 'POST', '/v1/memories', `{"content":"a","metadata":${'['.repeat(70)}${']'.repeat(70)}}`],
    ['invalid_json', 400, 'POST', '/v1/memories', '['.repeat(200_000)],
    ['invalid_content', 400, 'POST', '/v1/memories', {}],
    ['invalid_content', 400, 'POST', '/v1/memories', { content: '' }],
    ['invalid_content', 400, 'POST', '/v1/memories', { content: 'a\u0000b' }],
    ['invalid_content', 400, 'POST', '/v1/memories', '{"content":"\\ud800"}'],
    ['invalid_metadata', 400, 'POST', '/v1/memories', { content: 'x', metadata: [] }],
    ['invalid_metadata', 400, 'POST', '/v1/memories', '{"content":"x","metadata":{"a":"\\u0000"}}'],
    ['invalid_source', 400, 'POST', '/v1/memories', { content: 'x', source: 1 }],
    ['invalid_namespace', 400, 'POST', '/v1/memories', { content: 'x', namespace: 1 }],
    ['namespace_not_found', 404, 'POST', '/v1/memories', { content: 'x', namespace: 'nowhere' }],
    ['content_too_large', 413, 'POST', '/v1/memories', { content: 'é'.repeat(524_289) }],
    ['metadata_too_large', 413, 'POST', '/v1/memories', { content: 'x', metadata: { a: 'a'.repeat(65_536) } }],
    ['body_too_large', 413, 'POST', '/v1/memories', 'x'.repeat(8 * 1024 * 1024 + 1)],
    ['memory_not_found', 404, 'GET', '/v1/memories/not-a-uuid'],
    ['memory_not_found', 404, 'DELETE', '/v1/memories/018f0000-0000-7000-8000-000000000000'],
    ['job_not_found', 404, 'GET', '/v1/ingest/nope'],
    ['receipt_not_found', 404, 'GET', '/v1/receipts/rcp_nope'],
    ['receipt_not_found', 404, 'GET', '/v1/receipts/%00'],
    ['invalid_sort', 400, 'GET', '/v1/memories?sort=oldest'],
    ['invalid_page', 400, 'GET', '/v1/memories?page=0'],
    ['invalid_pagination', 400, 'GET', '/v1/memories?page=1&cursor=x'],
    ['use_cursor_pagination', 400, 'GET', '/v1/memories?page=402&limit=25'],
    ['invalid_cursor', 400, 'GET', '/v1/memories?cursor=AAAA'],
    ['invalid_query', 400, 'GET', `/v1/memories?q=${'x'.repeat(2001)}`],
    ['invalid_namespace_ids', 400, 'GET', '/v1/memories?namespace_id=x'],
    ['namespace_out_of_scope', 403, 'GET', '/v1/memories?namespace_id=018f0000-0000-7000-8000-000000000000'],
    ['invalid_request', 400, 'GET', '/v1/memories?limit=101'],
    ['invalid_query', 400, 'POST', '/v1/memories/search', {}],
    ['invalid_query', 400, 'POST', '/v1/memories/search', { query: ' ' }],
    ['invalid_k', 400, 'POST', '/v1/memories/search', { query: 'x', k: 51 }],
    ['invalid_k', 400, 'POST', '/v1/memories/search', { query: 'x', k: 1.5 }],
    ['invalid_token_budget', 400, 'POST', '/v1/memories/search', { query: 'x', token_budget: 199 }],
    ['invalid_agent_id', 400, 'POST', '/v1/memories/search', { query: 'x', agent_id: 1 }],
    ['invalid_namespace_ids', 400, 'POST', '/v1/memories/search', { query: 'x', namespace_ids: [] }],
    ['unknown_field', 400, 'POST', '/v1/memories/search', { query: 'x', limit: 3 }],
    ['invalid_filters', 400, 'POST', '/v1/memories/search', filtered({ metadata: { a: { in: many(65_530) } } })],
    ['invalid_filters', 400, 'POST', '/v1/memories/search', filtered({ metadata: { a: { in: many(1001) } } })],
    ['invalid_filters', 400, 'POST', '/v1/memories/search', filtered({ source: many(1001).map(String) })],
    ['invalid_filters', 400, 'POST', '/v1/memories/search', '{"query":"x","filters":{"__proto__":{"source":"a"}}}'],
    ['invalid_filters', 400, 'POST', '/v1/memories/search', '{"query":"x","filters":{"metadata":{"__proto__":1}}}'],
    [
      'invalid_filters',
      400,
      'POST',
      '/v1/memories/search',
      `{"query":"x","filters":{"metadata":{"a":${'9'.repeat(1001)}}}}`,
    ],
    ...outOfRange.map(
      (created_after): Row => ['invalid_filters', 400, 'POST', '/v1/memories/search', filtered({ created_after })],
    ),
    ...outOfRange.map(
      (since): Row => ['invalid_request', 400, 'GET', `/v1/receipts?since=${encodeURIComponent(since)}`],
    ),
    ...['/v1/memories', '/v1/nothing', '/nothing', '/healthz'].map(
      (path): Row => ['route_not_found', 404, 'QUERY', path],
    ),
  ])('refuses %s', async (code, status, method, path, body, headers) => {
    const { json, ...reply } = await service.call(method, path, body, headers);
    expect([reply.status, json?.error]).toEqual([
      status,
      { code, message: expect.any(String), details: expect.any(Object), request_id: expect.any(String) },
    ]);
  });

  // @covers LIST-Q-ANY
  it.each<[string, string, string, unknown?]>([
    ...oddQueries.map((q): [string, string, string] => [q, 'GET', `/v1/memories?q=${encodeURIComponent(q)}`]),
    ...inRange.map((until): [string, string, string] => [
      until,
      'GET',
      `/v1/receipts?until=${encodeURIComponent(until)}`,
    ]),
    ...inRange.map((created_before): [string, string, string, unknown] => [
      created_before,
      'POST',
      '/v1/memories/search',
      filtered({ created_before }),
    ]),
    ['a long list', 'POST', '/v1/memories/search', filtered({ metadata: { a: { in: many(1000) } } })],
    ['extreme numbers', 'POST', '/v1/memories/search', filtered({ metadata: { a: { gt: -1e308, lt: 5e-324 } } })],
  ])('takes %s', async (_, method, path, body) => {
    expect((await service.call(method, path, body)).status).toBe(200);
  });
});

type Row = [string, number, string, string, unknown?, Record<string, string>?];

const filtered = (filters: object) => ({ query: 'x', filters });
const many = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Times that RFC 3339 may say and PostgreSQL has not. */
const outOfRange = [
  '0000-01-01T00:00:00Z',
  '2026-01-01T00:00:00+16:00',
  '2026-01-01T00:00:00-23:59',
  `2026-01-01T00:00:00.${'1'.repeat(500)}Z`,
];
const inRange = ['0001-01-01T00:00:00+15:59', '9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59-15:59'];

/** Everything that a full-text parser may have no place for. */
const oddQueries = [
  '-'.repeat(2000),
  '- '.repeat(40),
  '-('.repeat(100),
  `a${'-'.repeat(40)}b`,
  `"${'-'.repeat(40)}"`,
  'a or '.repeat(390),
  '"a '.repeat(600),
  'é'.repeat(2000),
  '天'.repeat(2000),
  ':*&|!<->'.repeat(100),
];
