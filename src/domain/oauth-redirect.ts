import type { Destination } from '../../contracts/authorization.js';
import { limits } from '../../contracts/limits.js';

/**
 * The private schemes of programs that are known, each as its maker registers it. All others contain a dot, as those that are made of a
 * domain (RFC 8252 §7.1): the rest opens parts of an operating system or a browser, or runs something.
 */
const knownSchemes = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'claude:', 'zed:']);

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
  if (url.protocol === 'https:') return { kind: 'https' };
  if (url.protocol !== 'http:') {
    if (knownSchemes.has(url.protocol) || url.protocol.includes('.')) return { kind: 'private' };
    const scheme = url.protocol.slice(0, -1);
    return { fault: `has the scheme ${scheme}: a private scheme contains a dot, such as com.example.app` };
  }
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

/** The longest name of an application in the provenance of a memory. */
const appCharacters = limits.runIdCharacters;

/**
 * The name of the application that a grant is for: the name that the client gives itself, with the place that its codes go to, such as
 * `Cursor (cursor.com)`. A client may give itself any name, so its brackets are left out, and the place is never shortened away.
 */
export function appOfGrant({ client_name, redirect_host }: Client): string {
  // Programs on this machine choose another port each time.
  const host = redirect_host.replace(/^(localhost|127\.0\.0\.1|\[::1\]):\d+$/, '$1');
  const room = appCharacters - [...host].length - ' ()'.length;
  const name = [...(client_name ?? '').replace(/[()]/g, '')].slice(0, Math.max(0, room)).join('').trim();
  return name === '' ? host : `${name} (${host})`;
}

interface Client {
  readonly client_name: string | null;
  readonly redirect_host: string;
}
