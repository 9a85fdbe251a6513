import { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NotAllowed, publicFetch, Unavailable } from '../../src/adapters/public-fetch.js';
import { forbiddenBy } from '../../src/domain/public-address.js';

const request = { method: 'GET', headers: {}, timeoutMs: 2000, maxBytes: 1000, redirects: 5 } as const;
/** Hosts as somebody may write them. The parser of URLs makes addresses of many of them. */
const hosts = [
  // This machine, in every way that an IPv4 address can be written.
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.255.255.254',
  ],
  ...[
    '127.0.0.1.',
    '0x7f.0x0.0x0.0x1',
    '0177.0.0.0x1',
    '127.0.0.01',
    '１２７.０.０.１',
    '127。0。0。1',
    '%31%32%37.0.0.1',
  ],
  ...['0.0.0.0', '0', '0x0', '0.1.2.3', '0.255.255.255'],
  // Networks around it.
  ...[
    '10.0.0.1',
    '10.255.255.255',
    '012.0.0.1',
    '0xa000001',
    '167772161',
    '172.16.0.1',
    '172.31.255.255',
    '0xac.0x10.1',
  ],
  ...[
    '192.168.0.1',
    '192.168.1',
    '0xc0a80001',
    '3232235521',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '169.254.1',
  ],
  ...['100.64.0.1', '100.127.255.255', '224.0.0.1', '239.255.255.250', '255.255.255.255', '0xffffffff', '240.0.0.1'],
  // Set aside for documents, measurements and protocols.
  ...[
    '192.0.0.1',
    '192.0.0.170',
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.9',
    '198.18.0.1',
    '198.19.255.255',
    '192.88.99.1',
  ],
  // IPv6: this machine, its networks, and what is set aside.
  ...[
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[0000::0001]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
  ],
  ...[
    '[ff02::1]',
    '[ff0e::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[2001:2::1]',
  ],
  ...['[5f00::1]', '[4000::1]', '[e000::1]', '[1::1]', '[fd00:ec2::254]'],
  // IPv6 that leads to IPv4.
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]', '[::ffff:8.8.8.8]', '[::127.0.0.1]', '[::7f00:1]'],
  ...['[::10.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a00:1]', '[64:ff9b:1::a00:1]'],
  ...['[2002:7f00:1::]', '[2002:a00:1::1]', '[2001:0:4136:e378::1]', '[2001::1]'],
  // Names that a resolver of this network answers.
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'printer.local', 'metadata.google.internal', 'metadata'],
  ...['db', 'router.lan', 'nas.home.arpa', 'wiki.corp', 'wiki.intranet'],
];

/** What a name may be made to lead to. */
const resolved = [
  ['127.0.0.1'],
  ['10.1.2.3'],
  ['169.254.169.254'],
  ['0.0.0.0'],
  ['::1'],
  ['fd00::1'],
  ['fe80::1'],
  ['::ffff:127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['2002:7f00:1::'],
  ['100.64.0.1'],
  // One among public ones.
  ['93.184.216.34', '127.0.0.1'],
  ['2606:4700::1111', '::1'],
  ['no address at all'],
];

describe('addresses that are not of the public internet', () => {
  afterEach(() => vi.restoreAllMocks());
  const connections = () => vi.spyOn(Socket.prototype, 'connect');
  const nobody = async () => {
    throw new Error('no name may be looked up');
  };

  it.each(hosts.flatMap((host) => [`http://${host}/`, `https://${host}/`]))('%s is not connected to', async (text) => {
    const connect = connections();
    const fetching = publicFetch({ allowPrivate: false, resolve: nobody })(new URL(text), request);
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
