import { expect, it } from 'vitest';
import { readConfig, WrongSetting } from '../../src/settings/config.js';
import { formatVerifierKey, verifierKey } from '../../src/verifier/note.js';

const witnessKey = formatVerifierKey(verifierKey('example.org/w1', 'cosignature/v1', new Uint8Array(32).fill(7)));
const logKey = formatVerifierKey(verifierKey('example.org/w1', 'ed25519', new Uint8Array(32).fill(7)));

it('has a default for everything', () => {
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 8080, baseUrl: 'http://127.0.0.1:8080' });
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined });
});

it('takes a public address with or without a slash at its end, and makes one of an IPv6 address', () => {
  expect(readConfig({ BASE_URL: 'https://example.org/' })).toMatchObject({ baseUrl: 'https://example.org' });
  expect(readConfig({ HOST: '::1' })).toMatchObject({ baseUrl: 'http://[::1]:8080' });
});

it('believes the proxies it is notified of', () => {
  expect(readConfig({})).toMatchObject({ trustProxy: false, rateLimits: true });
  expect(readConfig({ TRUST_PROXY: '2', RATE_LIMITS: 'off' })).toMatchObject({ trustProxy: 2, rateLimits: false });
  expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, fd00::1' }).trustProxy).toEqual(['10.0.0.0/8', 'fd00::1']);
});

// @covers MCP-ORIGIN
it('takes origins as browsers write them', () => {
  const origins = (given: string) => readConfig({ MCP_ALLOWED_ORIGINS: given }).mcpAllowedOrigins;
  expect(readConfig({}).mcpAllowedOrigins).toBeUndefined();
  expect(origins('*')).toEqual(['*']);
  expect(origins('https://App.example.org:443/, http://localhost:3000')).toEqual([
    'https://app.example.org',
    'http://localhost:3000',
  ]);
  expect(origins('chrome-extension://abcdef/')).toEqual(['chrome-extension://abcdef']);
  for (const wrong of [
    'app.example.org',
    'https://a.example/path',
    'https://a.example,*',
    'https://u@a.example',
    ',',
  ]) {
    expect(() => origins(wrong)).toThrow(/^MCP_ALLOWED_ORIGINS is wrong: must be \*, or origins/);
  }
});

// @covers TASK-PLATFORM-SETTING
it('takes six different platforms of vendors, none of which is a fixed one', () => {
  const platforms = (names: string) => readConfig({ VENDOR_PLATFORMS: names }).vendorPlatforms;
  expect(readConfig({}).vendorPlatforms).toEqual([1, 2, 3, 4, 5, 6].map((number) => `vendor_platform_${number}`));
  expect(platforms('Acme, b.c ,c,d_1,e-f,F')).toEqual(['Acme', 'b.c', 'c', 'd_1', 'e-f', 'F']);
  const wrong = [
    'a,b,c,d,e',
    'a,b,c,d,e,f,g',
    'a,b,c,d,e,a',
    'a,b,c,d,e,mcp',
    'a,b,c,d,e,f g',
    'a,b,c,d,e,',
    'a,b,c,d,e,é',
  ];
  for (const names of [...wrong, `a,b,c,d,e,${'f'.repeat(65)}`]) {
    expect(() => platforms(names)).toThrow(/^VENDOR_PLATFORMS is wrong: must be 6 different names, .*\.$/);
  }
});

it('does all work, or that of the roles that are named', () => {
  expect(readConfig({}).roles).toEqual(['http', 'ingest', 'webhooks', 'anchoring', 'upkeep']);
  expect(readConfig({ ROLES: 'ingest, http' }).roles).toEqual(['http', 'ingest']);
  const sentence =
    'ROLES is wrong: must be some of these, each once and comma separated: http, ingest, webhooks, anchoring, upkeep.';
  expect(() => readConfig({ ROLES: 'http,api' })).toThrow(sentence);
});

it('takes witnesses as pairs of key and address', () => {
  const pairs = `${witnessKey} https://w1.example.org/a,${witnessKey}  http://127.0.0.1:1`;
  const { witnesses } = readConfig({ WITNESSES: pairs });
  expect(witnesses.map(({ url }) => url)).toEqual(['https://w1.example.org/a', 'http://127.0.0.1:1']);
  expect(witnesses.map(({ key }) => formatVerifierKey(key))).toEqual([witnessKey, witnessKey]);
  expect(readConfig({}).witnesses).toEqual([]);
});

it('reads the addresses of operators as accounts are compared', () => {
  expect(readConfig({ OPERATORS: ' Ada@Example.org , bob@localhost' }).operators).toEqual(
    new Set(['ada@example.org', 'bob@localhost']),
  );
  expect(readConfig({}).operators).toBeNull();
  expect(() => readConfig({ OPERATORS: 'ada' })).toThrow(/OPERATORS .*"ada"/);
});

it.each([
  ['PORT', { PORT: 'eighty' }],
  ['PORT', { PORT: '70000' }],
  ['BASE_URL', { BASE_URL: 'ftp://example.org' }],
  ['BASE_URL', { BASE_URL: 'https://user:secret@example.org' }],
  ['BASE_URL', { BASE_URL: 'https://@example.org' }],
  ['BASE_URL', { BASE_URL: 'https://example.org/memory' }],
  ['BASE_URL', { BASE_URL: 'https://example.org?a=b' }],
  ['BASE_URL', { BASE_URL: 'https://example.org/#' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://127.0.0.1/x' }],
  ['EMBEDDINGS_MODEL', { EMBEDDINGS_URL: 'http://127.0.0.1:1' }],
  ['EMBEDDINGS_URL', { EMBEDDINGS_MODEL: 'm' }],
  ['EMBEDDINGS_URL', { EMBEDDINGS_API_KEY: 'k' }],
  ['SEARCH_ARMS', { SEARCH_ARMS: 'sparse' }],
  ['OWNER_EMAIL', { OWNER_EMAIL: 'no one' }],
  ['OPERATORS', { OPERATORS: 'ada@example.org,' }],
  ['OPERATORS', { OPERATORS: 'ada@example.org; bob@example.org' }],
  ['OWNER_PASSWORD', { OWNER_PASSWORD: 'short' }],
  ['BOOTSTRAP_API_KEY', { BOOTSTRAP_API_KEY: 'ak_short' }],
  ['BOOTSTRAP_API_KEY', { BOOTSTRAP_API_KEY: 'sk_000000000000000000000000000000000000' }],
  ['WITNESSES', { WITNESSES: 'https://witness.example.org' }],
  ['WITNESSES', { WITNESSES: `${witnessKey}` }],
  ['WITNESSES', { WITNESSES: `${witnessKey} ftp://witness.example.org` }],
  ['WITNESSES', { WITNESSES: `${witnessKey} https://witness.example.org more` }],
  ['WITNESSES', { WITNESSES: `${witnessKey} https://witness.example.org,` }],
  ['WITNESSES', { WITNESSES: `${witnessKey.replace('w1', 'w2')} https://witness.example.org` }],
  ['WITNESSES', { WITNESSES: `${logKey} https://witness.example.org` }],
  ['ANCHOR_INTERVAL', { ANCHOR_INTERVAL: '10' }],
  ['ANCHOR_INTERVAL', { ANCHOR_INTERVAL: '169h' }],
  ['RATE_LIMITS', { RATE_LIMITS: 'no' }],
  ['MEMORY_API', { MEMORY_API: 'no' }],
  ['ALLOW_PRIVATE_URLS', { ALLOW_PRIVATE_URLS: 'yes' }],
  ['TRUST_PROXY', { TRUST_PROXY: 'on' }],
  ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/8,gateway' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['ROLES', { ROLES: 'api' }],
  ['ROLES', { ROLES: 'http,http' }],
  ['ROLES', { ROLES: 'http,' }],
  ['ETH_CHAIN_ID', { ETH_RPC_URL: 'http://127.0.0.1:8545' }],
])('names %s in the sentence that stops the start', (name, env) => {
  expect(() => readConfig(env)).toThrow(WrongSetting);
  expect(() => readConfig(env)).toThrow(new RegExp(`^${name} `));
});
