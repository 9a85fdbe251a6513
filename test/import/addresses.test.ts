import { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NotAllowed, publicFetch, Unavailable } from '../../src/adapters/public-fetch.js';
import { forbiddenBy } from '../../src/domain/public-address.js';
import { hosts, resolved } from './hosts.js';

const request = { method: 'GET', headers: {}, timeoutMs: 2000, maxBytes: 1000, redirects: 5 } as const;
describe('addresses that are not of the public internet', () => {
  afterEach(() => vi.restoreAllMocks());
  const connections = () => vi.spyOn(Socket.prototype, 'connect');
  const noOne = async () => {
    throw new Error('no name may be looked up');
  };

  // @covers IMPORT-PRIVATE
  it.each(hosts.flatMap((host) => [`http://${host}/`, `https://${host}/`]))('%s is not connected to', async (text) => {
    const connect = connections();
    const fetching = publicFetch({ allowPrivate: false, resolve: noOne })(new URL(text), request);
    await expect(fetching).rejects.toThrow(NotAllowed);
    expect(connect).not.toHaveBeenCalled();
  });

  it('are more than 80 forms', () => expect(new Set(hosts).size).toBeGreaterThanOrEqual(80));

  it.each(resolved)('a name that leads to %s %s is not connected to', async (...addresses) => {
    const connect = connections();
    const fetching = publicFetch({ allowPrivate: false, resolve: async () => addresses.filter(Boolean) })(
      new URL('http://innocent.example.org/'),
      request,
    );
    await expect(fetching).rejects.toThrow(NotAllowed);
    expect(connect).not.toHaveBeenCalled();
  });

  // @covers IMPORT-PORT
  it.each([
    'http://example.org:8080/',
    'http://example.org:443/',
    'https://example.org:80/',
    'http://93.184.216.34:22/',
    'http://user@example.org/',
    'http://user:secret@example.org/',
    'http://:secret@example.org/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'gopher://example.org/',
    'data:text/plain,x',
  ])('%s is not looked up', async (text) => {
    const connect = connections();
    const resolve = vi.fn(async () => ['93.184.216.34']);
    await expect(publicFetch({ allowPrivate: false, resolve })(new URL(text), request)).rejects.toThrow(NotAllowed);
    expect(resolve).not.toHaveBeenCalled();
    expect(connect).not.toHaveBeenCalled();
  });

  it.each([
    'http://example.org/',
    'https://example.org:443/',
    'http://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('%s may be asked', (text) => expect(forbiddenBy(new URL(text))).toBeNull());

  // @covers IMPORT-RESOLVE-ONCE
  it('connects to what the name led to, and asks for it once', async () => {
    const connect = connections().mockImplementation(function (this: Socket) {
      queueMicrotask(() => this.destroy(new Error('no network in this test')));
      return this;
    });
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const resolve = vi.fn(async () => answers.shift() ?? []);
    const fetching = publicFetch({ allowPrivate: false, resolve })(new URL('http://rebinding.example.org/'), request);
    await expect(fetching).rejects.toThrow(Unavailable);
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(connect).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(connect.mock.calls)).toContain('"host":"93.184.216.34"');
    expect(JSON.stringify(connect.mock.calls)).not.toContain('127.0.0.1');
  });
});
