import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NotAllowed, publicFetch, TooLarge, Unavailable } from '../../src/adapters/public-fetch.js';
import { drip, openSite, page, redirect, type Site } from './web.js';

const megabyte = 1024 * 1024;
const request = {
  method: 'GET',
  headers: { accept: '*/*' },
  timeoutMs: 1000,
  maxBytes: megabyte,
  redirects: 5,
} as const;
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };
const zeros = Buffer.alloc(128 * megabyte);

describe('fetching what an outsider names', () => {
  let site: Site;
  const fetchPrivate = publicFetch({ allowPrivate: true });
  const get = (path: string, more = {}) => fetchPrivate(new URL(path, site.origin), { ...request, ...more });
  const text = async (path: string) => Buffer.from((await get(path)).body).toString();

  beforeAll(async () => {
    const hops = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`/hop/${n}`, redirect(`/hop/${n - 1}`)]));
    const encoded = (encoding: string, body: Uint8Array) => page('text/plain', body, { 'content-encoding': encoding });
    site = await openSite({
      ...hops,
      '/hop/0': page('text/plain', 'arrived'),
      '/loop': redirect('/loop'),
      '/away': redirect('ftp://example.org/'),
      '/secret': redirect('http://user:pw@127.0.0.1/'),
      '/nowhere': (_request, response) => response.writeHead(302).end(),
      '/gzip': encoded('gzip', gzipSync('zipped')),
      '/deflate': encoded('deflate', deflateSync('zipped')),
      '/br': encoded('BR', brotliCompressSync('zipped')),
      '/twice': encoded('gzip, gzip', gzipSync(gzipSync('zipped'))),
      '/cut': encoded('gzip', gzipSync('zipped').subarray(0, 15)),
      '/bomb/gzip': encoded('gzip', gzipSync(zeros, { level: 1 })),
      '/bomb/deflate': encoded('deflate', deflateSync(zeros, { level: 1 })),
      '/bomb/br': encoded('br', brotliCompressSync(zeros, quick)),
      '/large': page('text/plain', Buffer.alloc(megabyte + 1)),
      '/exact': page('text/plain', Buffer.alloc(megabyte)),
      '/endless': (_request, response) => {
        const more = () => {
          while (response.write(Buffer.alloc(65_536))) if (response.destroyed) return;
        };
        response.on('drain', more);
        more();
      },
      '/drip': drip((response) => response.writeHead(200, { 'content-type': 'text/plain' })),
      '/silent': () => undefined,
      '/short': (_request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('only this');
        setTimeout(() => response.destroy(), 20);
      },
    });
  });
  afterAll(() => site.close());

  // @covers IMPORT-REDIRECTS
  it('follows five redirects and not six', async () => {
    expect(await text('/hop/5')).toBe('arrived');
    expect((await get('/hop/5')).url).toBe(`${site.origin}/hop/0`);
    await expect(get('/hop/6')).rejects.toThrow('it redirected more than 5 times');
    await expect(get('/loop')).rejects.toThrow(Unavailable);
    expect(site.asked.filter((path) => path === '/loop')).toHaveLength(6);
  });

  it('takes a redirect for an answer when it should follow none', async () => {
    const before = site.asked.length;
    expect((await get('/hop/3', { redirects: 0, method: 'POST', body: 'x' })).status).toBe(302);
    expect(site.asked).toHaveLength(before + 1);
  });

  // @covers IMPORT-REDIRECT-JUDGED
  it('checks where a redirect leads like the first address', async () => {
    await expect(get('/away')).rejects.toThrow(NotAllowed);
    await expect(get('/secret')).rejects.toThrow(NotAllowed);
    await expect(get('/nowhere')).rejects.toThrow('it redirected to nowhere');
  });

  it('says the name of the URL to the address that it led to', async () => {
    const named = publicFetch({ allowPrivate: true, resolve: async () => ['127.0.0.1'] });
    const { port } = new URL(site.origin);
    await named(new URL(`http://some.example.org:${port}/hop/0?q=1`), request).then(() => undefined);
    expect(site.seen.at(-1)?.headers.host).toBe(`some.example.org:${port}`);
    expect(site.asked.at(-1)).toBe('/hop/0?q=1');
  });

  it('understands the encodings of the web, once', async () => {
    for (const path of ['/gzip', '/deflate', '/br']) expect(await text(path)).toBe('zipped');
    await expect(get('/twice')).rejects.toThrow('an encoding that was not requested');
    await expect(get('/cut')).rejects.toThrow(Unavailable);
  });

  it.each(['/bomb/gzip', '/bomb/deflate', '/bomb/br'])('stops %s long before its 128 MB are there', async (path) => {
    const before = process.memoryUsage.rss();
    const started = performance.now();
    await expect(get(path, { timeoutMs: 10_000 })).rejects.toThrow(TooLarge);
    const grown = Math.round((process.memoryUsage.rss() - before) / megabyte);
    const ms = Math.round(performance.now() - started);
    console.log(`${path}: ${ms} ms, ${grown} MB`);
    expect(grown).toBeLessThan(64);
  });

  it('takes as much as is allowed and not a byte more', async () => {
    expect((await get('/exact')).body).toHaveLength(megabyte);
    await expect(get('/large')).rejects.toThrow(TooLarge);
    await expect(get('/endless')).rejects.toThrow(TooLarge);
  });

  it.each(['/drip', '/silent'])('gives %s up when the time is over', async (path) => {
    const started = performance.now();
    await expect(get(path)).rejects.toThrow('it did not answer within 1 seconds');
    expect(performance.now() - started).toBeLessThan(1800);
  });

  it('gives a name server up that does not answer, and a host that is not there', async () => {
    const silent = publicFetch({ allowPrivate: true, resolve: () => new Promise(() => undefined) });
    await expect(silent(new URL('http://slow.example.org/'), request)).rejects.toThrow('did not answer within');
    await expect(get('http://127.0.0.1:1/')).rejects.toThrow('it cannot be reached (ECONNREFUSED)');
    await expect(get('/short')).rejects.toThrow(Unavailable);
  });
});
