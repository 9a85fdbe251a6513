import { Resolver } from 'node:dns/promises';
import { addressOf, forbiddenBy, isPublicAddress } from '../domain/public-address.js';
import { Unavailable } from './bounded-fetch.js';
import { decodedBody, TooLarge } from './decoded-body.js';
import { exchange } from './exchange.js';

export { TooLarge, Unavailable };

/** An address that somebody gave us and that we do not go to. The message says why, as a sentence for them. */
export class NotAllowed extends Error {}

export interface PublicRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** For everything, from the look-up of the name to the last byte, redirects included. */
  readonly timeoutMs: number;
  /** Of the answer's body, after decompression. Null for a body that nobody wants: it is left unread. */
  readonly maxBytes: number | null;
  /** Ends the request early. */
  readonly signal?: AbortSignal;
  /** How many redirects are followed, each as carefully as the first address. With 0 a redirect is an answer like others. */
  readonly redirects: number;
}

export interface PublicAnswer {
  readonly status: number;
  /** Where the last redirect led. */
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** A request to an address that a stranger chose. @throws NotAllowed, TooLarge, Unavailable */
export type PublicFetch = (url: URL, request: PublicRequest) => Promise<PublicAnswer>;

/** Every address of a name. @throws when there is none */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface PublicNetwork {
  /** For tests: private addresses and other ports are let through. */
  readonly allowPrivate: boolean;
  readonly resolve?: Resolve;
}

/** Finds an address of the public internet for a URL. @throws NotAllowed, Unavailable */
export function publicAddress({ allowPrivate, resolve = resolveName }: PublicNetwork) {
  return async (url: URL, signal: AbortSignal): Promise<string> => {
    if (!/^https?:$/.test(url.protocol)) throw new NotAllowed('Only http and https addresses are fetched.');
    if (url.username !== '' || url.password !== '') throw new NotAllowed('The address has a user name or a password.');
    const forbidden = allowPrivate ? null : forbiddenBy(url);
    if (forbidden !== null) throw new NotAllowed(`The address ${forbidden}.`);
    const literal = addressOf(url);
    if (literal !== null) return literal;
    const addresses = await resolve(url.hostname, signal);
    // One private address among public ones is reason enough: which one is taken would be the name server's choice.
    if (!allowPrivate && !addresses.every(isPublicAddress)) {
      throw new NotAllowed('The name leads to an address that is not of the public internet.');
    }
    const [first] = addresses;
    if (first === undefined) throw new Unavailable('its name has no address');
    return first;
  };
}

/**
 * Requests that cannot be turned against the network around us. A name is resolved once, every address that it has is
 * judged, and the connection goes to an address and not to a name: a second answer of the name server is never asked for.
 */
export function publicFetch(network: PublicNetwork): PublicFetch {
  const addressFor = publicAddress(network);
  return async (start, { redirects, maxBytes, timeoutMs, signal: early, ...request }) => {
    const deadline = deadlineIn(timeoutMs);
    const signal = early ? AbortSignal.any([deadline.signal, early]) : deadline.signal;
    try {
      let url = start;
      for (let left = redirects; ; left -= 1) {
        const address = await abortable(addressFor(url, signal), signal);
        const response = await exchange(url, address, request, signal);
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
          // Also what is still being sent of a body that nobody reads.
          response.close();
        }
      }
    } catch (error) {
      if (error instanceof NotAllowed || error instanceof TooLarge) throw error;
      if (early?.aborted) throw new Unavailable('it was given up');
      if (signal.aborted) throw new Unavailable(`it did not answer within ${timeoutMs / 1000} seconds`);
      throw error instanceof Unavailable ? error : new Unavailable(reasonOf(error));
    } finally {
      deadline.cancel();
    }
  };
}

/** Where a redirect leads; null when the answer is none. */
function redirectOf(status: number, location: string | undefined, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  if (location === undefined || !URL.canParse(location, from.href)) throw new Unavailable('it redirected to nowhere');
  return new URL(location, from.href);
}

/** A timer and not AbortSignal.timeout, whose timer does not keep a process alive that waits for nothing else. */
function deadlineIn(ms: number): { readonly signal: AbortSignal; cancel(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return { signal: controller.signal, cancel: () => clearTimeout(timer) };
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Unavailable('it took too long'));
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
  });
}

/**
 * Asks the name servers themselves. The system's look-up knows names of its own and takes a thread of the four that also
 * read files, for as long as a hostile name server likes. IPv4 first: not every network has a way out over IPv6.
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
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? `it cannot be reached (${code})` : 'it cannot be reached';
}
