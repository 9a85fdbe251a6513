/** One request, sent with the key of the bench. */
export interface StallRequest {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Made when it is sent. */
  body?(): string | Uint8Array;
}

/** One that has a body, and how an owner is answered: the status, and the code of a refusal. */
export interface StallBody extends StallRequest {
  body(): string;
  readonly answer: readonly [number, string | null];
}

const limit = 8 * 1024 * 1024;

/** As many whole copies as fit into a body between these two. */
function filled(before: string, part: string, after: string, bytes = limit): string {
  const room = bytes - Buffer.byteLength(before + after);
  return before + part.repeat(Math.floor(room / Buffer.byteLength(part))) + after;
}

const post = (name: string, path: string, answer: StallBody['answer'], body: () => string): StallBody => ({
  name,
  method: 'POST',
  path,
  answer,
  body,
});

const paths = {
  add: '/v1/memories',
  search: '/v1/memories/search',
  bulkDelete: '/v1/memories/bulk-delete',
  batch: '/v1/memories/batch',
  ingest: '/v1/ingest',
  verify: '/v1/receipts/verify',
  webhooks: '/v1/webhooks',
} as const;

/** A number that is hard to round: halfway between two others but for its last digits. */
const longNumber = `2.2250738585072011${'5'.repeat(750)}e-308`;

/** Bodies that are expensive to read, check or answer. */
export const stallBodies: readonly StallBody[] = [
  post('bulk delete of 700,000 ids', paths.bulkDelete, [400, 'too_many_ids'], () =>
    filled('{"ids":[', '"12345678",', '"0"]}'),
  ),
  post('bulk delete of 200,000 right ids', paths.bulkDelete, [400, 'too_many_ids'], () =>
    filled('{"ids":[', '"018f0000-0000-7000-8000-000000000000",', '"018f0000-0000-7000-8000-000000000000"]}'),
  ),
  post('a batch of 700,000 memories', paths.batch, [400, 'invalid_request'], () =>
    filled('{"memories":[', '{"a":""},{},', '0]}'),
  ),
  post('a batch of 1,000 wrong memories', paths.batch, [200, null], () => {
    const wrong = `{"content":"${'\\u0000'.repeat(1300)}"}`;
    return `{"memories":[${Array.from({ length: 1000 }, () => wrong).join(',')}]}`;
  }),
  post('a batch of 1,000 texts', paths.batch, [200, null], () => {
    const texts = Array.from({ length: 1000 }, (_, at) => `{"content":"${at} ${'天気 text 12 '.repeat(500)}"}`);
    return `{"memories":[${texts.join(',')}]}`;
  }),
  post('700,000 keys', paths.add, [400, 'invalid_request'], () => {
    const keys = Array.from({ length: 600_000 }, (_, n) => `"k${n}":1`);
    return `{${keys.join(',')}}`.slice(0, limit);
  }),
  post('4,000,000 brackets', paths.add, [400, 'invalid_json'], () => '['.repeat(4_000_000)),
  post('filters of a million leaves', paths.search, [400, 'invalid_filters'], () =>
    filled('{"query":"x","filters":{"any":[', '{"a":1},', '{}]}}'),
  ),
  post('350,000 nested objects', paths.add, [413, 'metadata_too_large'], () =>
    filled('{"content":"x","metadata":{"a":[', '{"a":{"b":{"c":1}}},', '0]}}'),
  ),
  post('metadata of 4,000,000 numbers', paths.add, [413, 'metadata_too_large'], () =>
    filled('{"content":"x","metadata":{"a":[', '1,', '0]}}'),
  ),
  post('metadata of long numbers', paths.add, [413, 'metadata_too_large'], () =>
    filled('{"content":"x","metadata":{"a":[', `${longNumber},`, '0]}}'),
  ),
  post('a number of 8,000,000 digits', paths.search, [400, 'invalid_k'], () => filled('{"query":"x","k":', '1', '}')),
  post('escapes of NUL', paths.add, [400, 'invalid_content'], () => filled('{"content":"', '\\u0000', '"}')),
  post('escapes of quotes', paths.add, [413, 'content_too_large'], () => filled('{"content":"', '\\"', '"}')),
  post('one text of 8 MiB', paths.search, [400, 'invalid_query'], () => filled('{"query":"', '天', '"}')),
  post('a body of spaces', paths.add, [400, 'invalid_content'], () => filled('{', ' ', '}')),
  post('a huge object with a key twice', paths.add, [400, 'invalid_json'], () => {
    const keys = Array.from({ length: 30_000 }, (_, n) => `"${'k'.repeat(250)}${n}":1`);
    return `{"content":"x","metadata":{${keys.join(',')},${keys[0]}}}`;
  }),
  post('an import of everything wrong', paths.ingest, [400, 'invalid_request'], () =>
    filled('{"kind":[', '{},', '0],"scopes":[0]}'),
  ),
  post('base64 of 8 MiB', paths.ingest, [413, 'source_too_large'], () =>
    filled('{"kind":"file","filename":"a.txt","data_base64":"', 'AAAA', '"}'),
  ),
  post('base64 with line ends', paths.ingest, [400, 'invalid_file'], () =>
    filled('{"kind":"file","filename":"a.txt","data_base64":"', 'AAAA\\n', '"}', 6_000_000),
  ),
  post('a search of 2,000 wrong filters', paths.search, [400, 'invalid_filters'], () =>
    JSON.stringify({ query: 'x', filters: { metadata: { a: { in: Array.from({ length: 2400 }, () => []) } } } }),
  ),
  post('a verification of 2 MiB of brackets', paths.verify, [400, 'invalid_bundle'], () => '['.repeat(2 ** 21)),
  post('a webhook pattern of 500,000 keys', paths.webhooks, [400, 'invalid_request'], () => {
    const keys = Array.from({ length: 500_000 }, (_, n) => `"k${n}":1`);
    return `{"webhook_url":"https://example.org/","pattern":{"metadata":{${keys.join(',')}}}}`.slice(0, limit);
  }),
  {
    name: 'rules of a million elements',
    method: 'PUT',
    path: '/v1/rules',
    answer: [400, 'invalid_request'],
    body: () => filled('{"pause_all":false,"sensitive":"redact","ask_owner":[', '{"source":"x"},', '{}]}'),
  },
  post('a key for 700,000 namespaces', '/v1/keys', [400, 'too_many_namespaces'], () =>
    filled('{"name":"x","namespace_ids":[', '"default",', '"default"]}'),
  ),
  post('a sign-in of 30,000 values', '/v1/session', [400, 'invalid_request'], () =>
    filled('{"email":[', '1,', '0],"password":"x"}', 65_000),
  ),
];
