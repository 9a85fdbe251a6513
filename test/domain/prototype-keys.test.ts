import { expect, it } from 'vitest';
import { type Fields, readFields } from '../../contracts/input.js';
import { searchIn } from '../../contracts/search.js';
import { webhookIn } from '../../contracts/webhooks.js';

const own = '"__proto__":"x"';

// @covers FILTER-UNKNOWN
it.each<[string, Fields, string]>([
  ['invalid_filters', searchIn, `{"query":"x","filters":{${own}}}`],
  ['invalid_filters', searchIn, `{"query":"x","filters":{"metadata":{${own}}}}`],
  ['invalid_filters', searchIn, `{"query":"x","filters":{"any":[{"not":[{"metadata":{"a":1,${own}}}]}]}}`],
  ['invalid_request', webhookIn, `{"webhook_url":"https://a.example/","pattern":{"source":"a","metadata":{${own}}}}`],
  ['invalid_request', webhookIn, `{"webhook_url":"https://a.example/","pattern":{"metadata":{"a":1,${own}}}}`],
])('%s: a condition on __proto__ is refused and never left out', (code, fields, body) => {
  expect(() => readFields(fields, JSON.parse(body))).toThrow(expect.objectContaining({ code }));
});

it('takes no notice of a missing filter', () => {
  expect(readFields(searchIn, { query: 'x' }).filters).toBeUndefined();
});
