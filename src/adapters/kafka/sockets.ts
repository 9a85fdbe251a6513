import net from 'node:net';
import tls from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

const keepAliveMs = 60_000;

/**
 * The sockets of one client. A client that is only disconnected waits for the answers to its requests, and one whose call was
 * given up tries again by itself. When its sockets are destroyed and it gets no new ones, nothing more leaves it.
 */
export function createSockets() {
  const open = new Set<net.Socket>();
  let isDestroyed = false;

  const factory: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    if (isDestroyed) throw new Error('this client was discarded');
    // A name is needed for the check of the certificate; an address is checked as it is.
    const socket = ssl
      ? tls.connect({ host, port, ...(net.isIP(host) ? {} : { servername: host }), ...ssl }, onConnect)
      : net.connect({ host, port }, onConnect);
    socket.setKeepAlive(true, keepAliveMs);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    return socket;
  };

  return {
    factory,
    isDestroyed: () => isDestroyed,
    destroy() {
      isDestroyed = true;
      // The error ends the requests that wait for an answer. Without one the client does not notice.
      for (const socket of open) socket.destroy(new Error('this client was discarded'));
      open.clear();
    },
  };
}
