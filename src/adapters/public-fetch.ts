import { Resolver } from 'node:dns/promises';
import { Cancelled, DeadlinePassed, withDeadline } from '../base/deadline.js';
import { addressOf, forbiddenBy, isPublicAddress } from '../domain/public-address.js';
import { Unavailable } from './bounded-fetch.js';
import { decodedBody, TooLarge } from './decoded-body.js';
import { exchange, NoAnswer } from './exchange.js';

export { TooLarge, Unavailable };

/** Thrown for an address from a caller that must not be fetched. The message says why, as a sentence for the caller. */
export class NotAllowed extends Error {}

export interface PublicRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** The time limit for the whole request, from the lookup of the name to the last byte, including redirects. */
  readonly timeoutMs: number;
  /** The largest body of the answer, after decompression. Null if the body is not needed: it is not read. */
  readonly maxBytes: number | null;
  /** Ends the request early. */
  readonly signal?: AbortSignal;
  /**
   * The largest number of redirects that are followed. Each is checked like the first address. With 0 a redirect is
   * returned as the answer.
   */
  readonly redirects: number;
}

export interface PublicAnswer {
  readonly status: number;
  /** The address after the last redirect. */
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** Sends a request to an address that a caller chose. @throws NotAllowed, TooLarge, Unavailable */
export type PublicFetch = (url: URL, request: PublicRequest) => Promise<PublicAnswer>;

/** Returns every address of a name. @throws when it has none */
type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface PublicNetwork {
  /** For tests: private addresses and other ports are allowed. */
  readonly allowPrivate: boolean;
  readonly resolve?: Resolve;
  /** Ends every request when it is aborted. Later requests fail at once. */
  readonly ending?: AbortSignal;
}

/** Finds the addresses of the public internet that a URL leads to; at least one. @throws NotAllowed, Unavailable */
export function publicAddresses({ allowPrivate, resolve = resolveName }: PublicNetwork) {
  return async (url: URL, signal: AbortSignal): Promise<readonly string[]> => {
    if (!/^https?:$/.test(url.protocol)) throw new NotAllowed('Only http and https addresses are fetched.');
    if (url.username !== '' || url.password !== '') throw new NotAllowed('The address has a user name or a password.');
    const forbidden = allowPrivate ? null : forbiddenBy(url);
    if (forbidden !== null) throw new NotAllowed(`The address ${forbidden}.`);
    const literal = addressOf(url);
    if (literal !== null) return [literal];
    const addresses = await resolve(url.hostname, signal);
    // One private address is enough to refuse the name, because the name server would choose which address is used.
    if (!allowPrivate && !addresses.every(isPublicAddress)) {
      throw new NotAllowed('The name leads to an address that is not of the public internet.');
    }
    if (addresses.length === 0) throw new Unavailable('its name has no address');
    return addresses;
  };
}

/**
 * Sends requests that cannot reach the local network. A name is resolved once, each of its addresses is checked, and
 * the connection is made to a checked address, so a later answer of the name server has no effect.
 */
export function publicFetch(network: PublicNetwork): PublicFetch {
  const addressesFor = publicAddresses(network);

  async function follow(start: URL, { redirects, maxBytes, ...sent }: PublicRequest, signal: AbortSignal) {
    let url = start;
    for (let left = redirects; ; left -= 1) {
      const response = await exchange(url, await addressesFor(url, signal), sent, signal);
      try {
        const next = redirects > 0 ? redirectOf(response.status, response.location, url) : null;
        if (next === null) {
          const { status, contentType } = response;
          const body = maxBytes === null ? new Uint8Array() : await decodedBody(response, maxBytes, signal);
          return { status, contentType, url: url.href, body };
        }
        if (left === 0) throw new Unavailable(`it redirected more than ${redirects} times`);
        url = next;
      } finally {
        // This also ends the transfer of a body that is not read.
        response.close();
      }
    }
  }

  return async (start, request) => {
    const { timeoutMs, signal } = request;
    try {
      return await withDeadline(timeoutMs, (ending) => follow(start, request, ending), signal, network.ending);
    } catch (error) {
      if (error instanceof NotAllowed || error instanceof TooLarge || error instanceof Unavailable) throw error;
      throw new Unavailable(reasonOf(error));
    }
  };
}

/** The target of a redirect; null when the answer is not a redirect. */
function redirectOf(status: number, location: string | undefined, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  if (location === undefined || !URL.canParse(location, from.href)) throw new Unavailable('it redirected to nowhere');
  return new URL(location, from.href);
}

/**
 * Queries name servers directly. The system's lookup also knows local names, and a hostile name server could block one
 * of the four threads that also read files. IPv4 addresses come first, because some networks have no IPv6 connection.
 */
async function resolveName(name: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2500, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (addresses.length === 0) throw new Unavailable('its name cannot be resolved');
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof DeadlinePassed) return `it did not answer within ${error.ms / 1000} seconds`;
  if (error instanceof Cancelled) return 'the request was cancelled';
  if (error instanceof NoAnswer) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? `it cannot be reached (${code})` : 'it cannot be reached';
}
