import { expect, it } from 'vitest';
import { readConfig, WrongSetting } from '../src/config.js';

it('has a default for everything', () => {
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 8080, baseUrl: 'http://127.0.0.1:8080' });
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined });
});

it('believes the proxies it is told of', () => {
  expect(readConfig({})).toMatchObject({ trustProxy: false, rateLimits: true });
  expect(readConfig({ TRUST_PROXY: '2', RATE_LIMITS: 'off' })).toMatchObject({ trustProxy: 2, rateLimits: false });
  expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, fd00::1' }).trustProxy).toEqual(['10.0.0.0/8', 'fd00::1']);
});

it.each([
  ['PORT', { PORT: 'eighty' }],
  ['PORT', { PORT: '70000' }],
  ['BASE_URL', { BASE_URL: 'ftp://example.org' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://127.0.0.1/x' }],
  ['EMBEDDINGS_MODEL', { EMBEDDINGS_URL: 'http://127.0.0.1:1' }],
  ['EMBEDDINGS_URL', { EMBEDDINGS_MODEL: 'm' }],
  ['EMBEDDINGS_URL', { EMBEDDINGS_API_KEY: 'k' }],
  ['SEARCH_ARMS', { SEARCH_ARMS: 'sparse' }],
  ['OWNER_EMAIL', { OWNER_EMAIL: 'nobody' }],
  ['OWNER_PASSWORD', { OWNER_PASSWORD: 'short' }],
  ['BOOTSTRAP_API_KEY', { BOOTSTRAP_API_KEY: 'ak_short' }],
  ['BOOTSTRAP_API_KEY', { BOOTSTRAP_API_KEY: 'sk_000000000000000000000000000000000000' }],
  ['RATE_LIMITS', { RATE_LIMITS: 'no' }],
  ['TRUST_PROXY', { TRUST_PROXY: 'on' }],
  ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/8,gateway' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['KAFKA_BROKERS', { KAFKA_BROKERS: '127.0.0.1:9092' }],
])('names %s in the sentence that stops the start', (name, env) => {
  expect(() => readConfig(env)).toThrow(WrongSetting);
  expect(() => readConfig(env)).toThrow(new RegExp(`^${name} `));
});
