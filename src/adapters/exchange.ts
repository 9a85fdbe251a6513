import { type IncomingMessage, request as plainRequest } from 'node:http';
import { createConnection, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { DeadlinePassed, withDeadline } from '../base/deadline.js';

export interface Exchange {
  readonly status: number;
  readonly location: string | undefined;
  readonly contentType: string;
  readonly encoding: string;
  /** Content-Length, if it is given and a number. */
  readonly announced: number | null;
  readonly stream: IncomingMessage;
  /** Closes the connection, even if the answer is not complete. */
  close(): void;
}

interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** The server ended the exchange in another way than with an answer or a fault of the connection. */
export class NoAnswer extends Error {}

/**
 * Sends one request over a new connection to one of `addresses` and returns the head of the answer. The name of the URL is not
 * resolved here: it is only sent in Host and in TLS, where the certificate must match it. No connection is reused, so a
 * connection for one name never serves another name. The next address is tried only while nothing was sent.
 */
export async function exchange(
  url: URL,
  addresses: readonly string[],
  sent: ExchangeRequest,
  signal: AbortSignal,
): Promise<Exchange> {
  const secure = url.protocol === 'https:';
  const plain = await connectToFirst(addresses, portOf(url), signal);
  const name = url.hostname.replace(/\.$/, '');
  // For an address there is no name to send; its certificate must match the address.
  const names = isIP(name) === 0 && !name.startsWith('[') ? { servername: name } : { host: addresses[0] };
  const socket = secure ? connectSecurely({ socket: plain, ALPNProtocols: ['http/1.1'], ...names }) : plain;
  // The end of the request ends its socket, and the end of TLS must end the connection below it.
  socket.once('close', () => plain.destroy());
  return new Promise((resolve, reject) => {
    const request = plainRequest({
      createConnection: () => socket,
      path: `${url.pathname}${url.search}`,
      method: sent.method,
      headers: { ...sent.headers, host: url.host },
      signal,
    });
    request.on('error', reject);
    // 101 is no answer to a request that asks for no other protocol. Without this listener the request would end silently.
    request.on('upgrade', (_, upgraded) => {
      upgraded.destroy();
      reject(new NoAnswer('it switched to another protocol'));
    });
    // Every end of the request settles the wait: after a response or an error this changes nothing.
    request.on('close', () => reject(new NoAnswer('it closed the connection without an answer')));
    request.on('response', (stream) => {
      const { location, 'content-type': contentType = '', 'content-encoding': encoding = '' } = stream.headers;
      const length = stream.headers['content-length'];
      // The body is read or dropped later. Until then its errors need a listener, because they would end the process.
      stream.on('error', () => undefined);
      resolve({
        status: stream.statusCode ?? 0,
        location,
        contentType,
        encoding: encoding.trim().toLowerCase(),
        announced: length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : null,
        stream,
        close: () => request.destroy(),
      });
    });
    request.end(sent.body);
  });
}

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/** How long one address may take while others are left to try. A handshake of TCP around the world takes a third of a second. */
const attemptMs = 2000;
/** A name may have thousands of addresses, and one request must not knock at all of them. */
const mostAttempts = 16;

/**
 * Connects to the first of the addresses that accepts a connection, in their order.
 * @param addresses IP addresses; at least one
 * @throws the error of the last attempt
 */
async function connectToFirst(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const tried = addresses.slice(0, mostAttempts);
  let failure: unknown = new Error('there is no address');
  for (const [at, address] of tried.entries()) {
    try {
      if (at === tried.length - 1) return await connectTo(address, port, signal);
      return await withDeadline(attemptMs, (ending) => connectTo(address, port, ending), signal);
    } catch (error) {
      if (signal.aborted) throw error;
      failure = error instanceof DeadlinePassed ? new Error('it does not accept the connection') : error;
    }
  }
  throw failure;
}

function connectTo(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host, port, signal });
    socket.once('error', reject);
    // The socket of an aborted attempt may be closed without an error.
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.once('connect', () => resolve(socket));
  });
}
