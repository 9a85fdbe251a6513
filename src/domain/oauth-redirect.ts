import type { Destination } from '../../contracts/authorization.js';

/** Schemes that run something, or read something, instead of handing an address to an application. */
const neverTaken = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'mailto:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
]);

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

const longest = 2048;

/** @returns the kind of an address that a client wants its codes sent to, by how it is checked, or why it is not taken, as the end of a sentence */
export function redirectKind(address: string): { readonly kind: Destination['kind'] } | { readonly fault: string } {
  // The parser removes such characters, so the address would not be the one that was sent.
  if (address.length > longest || !/^[!-[\]-~]+$/.test(address)) return { fault: 'is not an absolute address' };
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url) return { fault: 'is not an absolute address' };
  if (address.includes('#')) return { fault: 'has a fragment' };
  if (url.username !== '' || url.password !== '') return { fault: 'has a user name or a password' };
  if (neverTaken.has(url.protocol)) return { fault: `has the scheme ${url.protocol.slice(0, -1)}` };
  if (url.protocol === 'https:') return { kind: 'https' };
  if (url.protocol !== 'http:') return { kind: 'private' };
  if (loopbackNames.has(url.hostname)) return { kind: 'loopback' };
  return { fault: 'uses http to another machine: use https' };
}

/** The part of an address that was registered that a person is shown. */
export function destinationOf(address: string): Destination {
  const read = redirectKind(address);
  const kind = 'kind' in read ? read.kind : 'https';
  const { protocol, host } = new URL(address);
  return { kind, host: kind === 'private' ? protocol.slice(0, -1) : host };
}

/** Whether an address of this machine is one of those that were registered, with any port (RFC 8252 §7.3). */
export function isLoopback(address: string, registered: readonly string[]): boolean {
  const asked = withoutPort(address);
  return asked !== null && registered.some((one) => withoutPort(one) === asked);
}

/** @returns null for an address of another kind */
function withoutPort(address: string): string | null {
  const read = redirectKind(address);
  if (!('kind' in read) || read.kind !== 'loopback') return null;
  return address.replace(/^(http:\/\/(?:\[::1\]|[^/:?]+))(?::\d*)?/i, '$1');
}
