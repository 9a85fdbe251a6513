import { createServer, type Socket } from 'node:net';

/** How a server treats a connection that was made to it. It continues until the connection is closed. */
export interface Peer {
  readonly name: string;
  readonly scheme: 'http' | 'https';
  /** @param every repeats something as often as this peer does it, until the connection is closed */
  readonly treat: (socket: Socket, every: (work: () => void) => void) => void;
}

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Waits until something of the request has come. */
const asked = (socket: Socket, then: () => void) => socket.once('data', then);

/** Sends a text again and again. */
const repeating =
  (text: string): Peer['treat'] =>
  (socket, every) =>
    asked(socket, () => every(() => socket.write(text)));

/** Sends a text, and then another one again and again. */
const begun =
  (first: string, more: string): Peer['treat'] =>
  (socket, every) =>
    asked(socket, () => {
      socket.write(first);
      every(() => socket.write(more));
    });

/** Servers that accept a connection and never give a whole answer. None of them ends an exchange of which no one else would. */
export const endlessPeers: readonly Peer[] = [
  { name: 'says nothing', scheme: 'http', treat: () => undefined },
  { name: 'never completes the handshake of TLS', scheme: 'https', treat: () => undefined },
  {
    name: 'sends records of TLS forever',
    scheme: 'https',
    // A record of a handshake that announces 16 KiB, of which one byte after the other comes.
    treat: (socket, every) =>
      asked(socket, () => {
        socket.write(Buffer.from([22, 3, 3, 0x40, 0]));
        every(() => socket.write(Buffer.from([2])));
      }),
  },
  { name: 'answers 100 forever', scheme: 'http', treat: repeating('HTTP/1.1 100 Continue\r\n\r\n') },
  { name: 'answers 103 forever', scheme: 'http', treat: repeating('HTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n') },
  {
    name: 'switches to another protocol',
    scheme: 'http',
    treat: begun('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n', ''),
  },
  { name: 'switches without naming a protocol', scheme: 'http', treat: begun('HTTP/1.1 101 Switching\r\n\r\n', '') },
  { name: 'sends a head without an end', scheme: 'http', treat: begun('HTTP/1.1 200 OK\r\n', 'x: y\r\n') },
  { name: 'sends a status line byte by byte', scheme: 'http', treat: begun('HTTP/1.1 200 ', 'O') },
  { name: 'sends a body byte by byte', scheme: 'http', treat: begun(`${head}content-length: 4000\r\n\r\n`, ' ') },
  {
    name: 'sends chunks forever',
    scheme: 'http',
    treat: begun(`${head}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
  },
  {
    name: 'sends trailers forever',
    scheme: 'http',
    treat: begun(`${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`, 'x: y\r\n'),
  },
  {
    name: 'closes its half in the middle of a body',
    scheme: 'http',
    treat: (socket) => asked(socket, () => socket.end(`${head}content-length: 4000\r\n\r\n{`)),
  },
  { name: 'closes its half before the answer', scheme: 'http', treat: (socket) => asked(socket, () => socket.end()) },
  {
    name: 'resets the connection in the middle of a body',
    scheme: 'http',
    treat: (socket) =>
      asked(socket, () => socket.write(`${head}content-length: 4000\r\n\r\n{`, () => socket.resetAndDestroy())),
  },
];

export interface OpenPeer {
  /** Its address without a slash at the end. */
  readonly origin: string;
  /** The connections that are open now. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** @param everyMs how often a peer that repeats something does so */
export async function openPeer({ scheme, treat }: Peer, everyMs = 20): Promise<OpenPeer> {
  const sockets = new Set<Socket>();
  // What the other side closes stays half open: a peer that means harm does not close its own half for that.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    const timers: NodeJS.Timeout[] = [];
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      for (const timer of timers) clearInterval(timer);
    });
    // What is not read would hide that the other side has closed the connection.
    socket.resume();
    treat(socket, (work) => timers.push(setInterval(work, everyMs)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    origin: `${scheme}://127.0.0.1:${port}`,
    connections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
