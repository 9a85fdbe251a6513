import { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { publicFetch } from '../../src/adapters/public-fetch.js';
import { openSite, page, type Site } from '../import/web.js';

const request = { method: 'GET', headers: {}, timeoutMs: 5000, maxBytes: 1000, redirects: 0 } as const;

/** Addresses of this machine at which nothing listens: the site listens at 127.0.0.1 alone. */
const refusing = ['127.0.0.2', '::1', '127.0.0.3'];

describe('a name with several addresses', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ '/': page('text/plain', 'here') });
  });
  afterAll(() => site.close());
  afterEach(() => vi.restoreAllMocks());
  const get = (...addresses: string[]) => {
    const { port } = new URL(site.origin);
    const fetch = publicFetch({ allowPrivate: true, resolve: async () => addresses });
    return fetch(new URL(`http://several.example.org:${port}/`), request);
  };

  it('is reached at the first one that accepts a connection', async () => {
    const { body } = await get(...refusing, '127.0.0.1');
    expect(Buffer.from(body).toString()).toBe('here');
  });

  it('is sent one request, at the first address where it can be', async () => {
    const before = site.asked.length;
    await get('127.0.0.1', ...refusing);
    expect(site.asked).toHaveLength(before + 1);
  });

  it('cannot be reached when none of them accepts one', async () => {
    await expect(get(...refusing)).rejects.toThrow('it cannot be reached (ECONNREFUSED)');
  });

  it('is given up at its deadline, however many addresses are silent', async () => {
    vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
      return this;
    });
    const fetch = publicFetch({ allowPrivate: true, resolve: async () => Array(1000).fill('127.0.0.1') });
    const asking = fetch(new URL('http://silent.example.org/'), { ...request, timeoutMs: 100 });
    await expect(asking).rejects.toThrow('it did not answer within 0.1 seconds');
  });

  it('is tried at 16 of its addresses at most', async () => {
    const connect = vi.spyOn(Socket.prototype, 'connect');
    await expect(get(...Array(1000).fill('127.0.0.2'))).rejects.toThrow('it cannot be reached');
    expect(connect).toHaveBeenCalledTimes(16);
  });

  it('is not connected to when one of them, even the last, is private', async () => {
    const connect = vi.spyOn(Socket.prototype, 'connect');
    const fetch = publicFetch({ allowPrivate: false, resolve: async () => ['93.184.216.34', '1.1.1.1', '10.0.0.1'] });
    await expect(fetch(new URL('http://mixed.example.org/'), request)).rejects.toThrow('not of the public internet');
    expect(connect).not.toHaveBeenCalled();
  });
});
