import { afterAll, beforeAll, expect, it } from 'vitest';
import { prove } from '../../http/log-reader.js';
import { type Service, startService } from '../../http/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService({ RATE_LIMITS: 'on' });
});
afterAll(() => service.stop());

it('allows pages of other sites to read every answer about the log, refusals too', async () => {
  await prove(service, 'read from elsewhere');
  const { listeningOrigin } = service.app.server;
  const paths = ['checkpoint', 'keys', 'tile/0/000.p/1', 'tile/entries/000.p/1', 'tile/0/999', 'tile/x', 'nothing'];
  for (const path of paths) {
    const { status, headers } = await fetch(`${listeningOrigin}/v1/ledger/${path}`, {
      headers: { origin: 'https://x.example' },
    });
    expect([path, status < 500, headers.get('access-control-allow-origin')]).toEqual([path, true, '*']);
    expect(headers.get('access-control-expose-headers')).toContain('retry-after');
  }
  for (const path of ['checkpoint', 'keys', 'tile/0/000']) {
    const preflight = await fetch(`${listeningOrigin}/v1/ledger/${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://x.example', 'access-control-request-method': 'GET' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('GET');
  }
  const elsewhere = await fetch(`${listeningOrigin}/v1/receipts`);
  expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull();
});

it('compresses the leaves of the log for those who ask for it, and nothing that does not become smaller', async () => {
  for (const content of ['one', 'two', 'three', 'four', 'five', 'six']) await prove(service, content);
  const { listeningOrigin } = service.app.server;
  const size = Number((await (await fetch(`${listeningOrigin}/v1/ledger/checkpoint`)).text()).split('\n')[1]);
  const file = (path: string, encodings: string) =>
    fetch(`${listeningOrigin}/v1/ledger/${path}`, { headers: { 'accept-encoding': encodings } });
  const leaves = `tile/entries/000.p/${size}`;
  const plain = await file(leaves, 'identity');
  const bytes = Buffer.from(await plain.arrayBuffer());
  expect(bytes.length).toBeGreaterThan(1024);
  expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'accept-encoding']);
  expect(plain.headers.get('cache-control')).toBe('public, max-age=60');
  for (const [encodings, expected] of [
    // Without weights a client has no preference, and br is shorter.
    ['gzip, deflate, br', 'br'],
    ['br, gzip', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['zstd', null],
    ['gzip;q=0', null],
  ] as const) {
    const answer = await file(leaves, encodings);
    expect([encodings, answer.headers.get('content-encoding')]).toEqual([encodings, expected]);
    expect(answer.headers.get('vary')).toBe('accept-encoding');
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    if (expected !== null) expect(Number(answer.headers.get('content-length'))).toBeLessThan(bytes.length * 0.8);
  }
  for (const path of ['checkpoint', 'keys', `tile/0/000.p/${size}`]) {
    expect((await file(path, 'gzip, br')).headers.get('content-encoding')).toBeNull();
  }
});

it('allows log clients to read more files than API calls, and says when it is too many', async () => {
  await prove(service, 'under a checkpoint');
  const url = `${service.app.server.listeningOrigin}/v1/ledger`;
  for (let at = 0; at < 400; at += 1) {
    const { status } = await fetch(`${url}/tile/0/000.p/1`);
    expect(status).toBe(200);
  }
  const checkpoint = await fetch(`${url}/checkpoint`);
  expect((await service.call('GET', '/v1/receipts')).status).toBe(200);
  let refused = checkpoint;
  for (let at = 0; at < 1200 && refused.status === 200; at += 1) refused = await fetch(`${url}/keys`);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await service.call('GET', '/v1/receipts')).status).toBe(200);
});
