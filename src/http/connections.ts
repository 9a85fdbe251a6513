import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientOf } from '../api/rate-limits.js';

/** How long each part of a request may take to arrive, in milliseconds. What is slower is closed. */
export const patience = {
  /** All of a request: 8 MiB over a line of half a megabit a second. */
  requestTimeout: 120_000,
  /** The headers, also of a connection on which nothing was ever sent. */
  headersTimeout: 20_000,
  /** Between two requests. Longer than proxies keep a connection that they reuse. */
  keepAliveTimeout: 72_000,
  /** How often connections are looked at. */
  connectionsCheckingInterval: 5000,
} as const;

/** The error of a request that took too long to come, as Node calls it. */
export const slowRequest = (): Error => Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

/** Connections above the limit that still get an answer; beyond them connections are closed without one. */
const refusable = 64;
/** How long a connection above the limit may take to ask and to hear that there are too many. */
const refusalMs = 2000;

/** The number of files that are reserved for the store, the threads, fetched pages, deliveries and logs. */
const reserved = 512;

/** As many connections as leave files for everything else: half of the files where there are few. */
export const connectionsWithin = (files: number): number =>
  Math.floor(Math.max(files / 2, files - reserved) - refusable);

/** Connections above the limit of their address that still get an answer. */
const refusableOfAddress = 16;

export interface MostConnections {
  readonly all: number;
  /** Null where one address is that of a proxy, or has no limit. */
  readonly ofAddress: number | null;
}

/** Bounds the connections of a server. @returns whether a request came on a connection above a bound */
export function boundConnections(server: Server, most: MostConnections): (request: IncomingMessage) => boolean {
  const over = new WeakSet<Socket>();
  const byAddress = new Map<string, number>();
  const mostOfAddress = most.ofAddress ?? Number.POSITIVE_INFINITY;
  let open = 0;
  server.maxConnections = most.all + refusable;
  server.on('connection', (socket: Socket) => {
    const address = clientOf(socket.remoteAddress ?? '');
    const own = (byAddress.get(address) ?? 0) + 1;
    byAddress.set(address, own);
    open += 1;
    socket.once('close', () => {
      open -= 1;
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
    });
    if (own > mostOfAddress + refusableOfAddress) socket.destroy();
    if (open <= most.all && own <= mostOfAddress) return;
    over.add(socket);
    setTimeout(() => socket.destroy(), refusalMs).unref();
  });
  return ({ socket }) => over.has(socket);
}
