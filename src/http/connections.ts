import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

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

/** Connections above the limit that still get an answer; beyond them connections are closed without one. */
const refusable = 64;
/** How long a connection above the limit may take to ask and to hear that there are too many. */
const refusalMs = 2000;

/** The number of files that are reserved for the store, the threads, fetched pages, deliveries and logs. */
const reserved = 512;

/** As many connections as leave files for everything else: half of the files where there are few. */
export const connectionsWithin = (files: number): number =>
  Math.floor(Math.max(files / 2, files - reserved) - refusable);

/** Bounds the connections of a server. @returns whether a request came on a connection above the bound */
export function boundConnections(server: Server, most: number): (request: IncomingMessage) => boolean {
  const over = new WeakSet<Socket>();
  let open = 0;
  server.maxConnections = most + refusable;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open <= most) return;
    over.add(socket);
    setTimeout(() => socket.destroy(), refusalMs).unref();
  });
  return ({ socket }) => over.has(socket);
}
