import { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { publicFetch } from '../../src/adapters/public-fetch.js';
import { realWorld } from '../../src/base/world.js';
import { createReadTarget } from '../../src/commands/webhooks.js';
import { createSend } from '../../src/workers/send.js';
import { hosts, resolved } from '../import/hosts.js';
import { delivery, memory } from './delivery.js';

const noOne = async () => {
  throw new Error('no name may be looked up');
};
/** A name server with these answers, one after the other. */
const answering = (...answers: string[][]) => vi.fn(async () => answers.shift() ?? []);
const send = (url: string, resolve: () => Promise<readonly string[]>) =>
  createSend(publicFetch({ allowPrivate: false, resolve }), realWorld, false)(delivery(url), memory);

describe('addresses of webhooks', () => {
  afterEach(() => vi.restoreAllMocks());
  const connections = () => vi.spyOn(Socket.prototype, 'connect');
  const refused = { code: 'invalid_request' };

  // @covers HOOK-URL
  it.each(
    hosts.flatMap((host) => [`https://${host}/`, `http://${host}/`]),
  )('%s is not taken, and not sent to if it was', async (url) => {
    const connect = connections();
    await expect(createReadTarget({ allowPrivate: false, resolve: noOne })(url)).rejects.toMatchObject(refused);
    expect(await send(url, noOne)).toMatchObject({ statusCode: null, error: expect.any(String) });
    expect(connect).not.toHaveBeenCalled();
  });

  it.each(resolved)('a name that leads to %s %s is not taken', async (...addresses) => {
    const connect = connections();
    const resolve = answering(addresses.filter(Boolean));
    const taking = createReadTarget({ allowPrivate: false, resolve })('https://innocent.example.org/');
    await expect(taking).rejects.toMatchObject(refused);
    expect(connect).not.toHaveBeenCalled();
  });

  // @covers HOOK-ADDRESS-AGAIN
  it.each(resolved)('a name that leads to %s %s after it was taken is not sent to', async (...addresses) => {
    const connect = connections();
    const resolve = answering(['93.184.216.34'], addresses.filter(Boolean));
    const url = await createReadTarget({ allowPrivate: false, resolve })('https://innocent.example.org/');
    const attempted = await send(url.href, resolve);
    expect(attempted.error).toBe('The name leads to an address that is not of the public internet.');
    expect(connect).not.toHaveBeenCalled();
  });

  it('sends to the address that was checked, and asks for it once for each attempt', async () => {
    const connect = connections().mockImplementation(function (this: Socket) {
      queueMicrotask(() => this.destroy(new Error('no network in this test')));
      return this;
    });
    const resolve = answering(['93.184.216.34'], ['127.0.0.1']);
    expect(await send('https://rebinding.example.org/', resolve)).toMatchObject({ statusCode: null });
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(connect.mock.calls)).toContain('"host":"93.184.216.34"');
    expect(JSON.stringify(connect.mock.calls)).not.toContain('127.0.0.1');
  });

  // @covers HOOK-URL
  it.each([
    'http://example.org/',
    'https://example.org:8443/',
    'https://example.org:80/',
    'https://user@example.org/',
    'https://user:secret@example.org/',
    'ftp://example.org/',
    'example.org',
    '',
  ])('%s is neither taken nor sent to', async (url) => {
    const connect = connections();
    const resolve = answering(['93.184.216.34'], ['93.184.216.34']);
    await expect(createReadTarget({ allowPrivate: false, resolve })(url)).rejects.toMatchObject(refused);
    expect((await send(url, resolve)).error).not.toBeNull();
    expect(connect).not.toHaveBeenCalled();
    expect(resolve).not.toHaveBeenCalled();
  });

  it('takes a name that cannot be resolved now, and soon one whose name server does not answer', async () => {
    const url = 'https://later.example.org/hook#part';
    const away = async () => {
      throw new Error('SERVFAIL');
    };
    expect((await createReadTarget({ allowPrivate: false, resolve: away })(url)).href).toBe(
      'https://later.example.org/hook',
    );
    const never = (_name: string, signal: AbortSignal) =>
      new Promise<string[]>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('late'))));
    const from = Date.now();
    await createReadTarget({ allowPrivate: false, resolve: never })(url);
    expect(Date.now() - from).toBeLessThan(4000);
  });
});
