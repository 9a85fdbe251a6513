import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * Answers a client that has closed its side after a whole request, as `nc -N` and simple programs do; Node would drop the request. The
 * connection ends with the answer. An answer that is sent in parts as things happen ends at once: its client may have gone.
 */
export function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const end = () => {
      if (response.headersSent && !response.writableEnded) socket.destroy();
    };
    socket.on('end', end);
    response.once('close', () => socket.off('end', end));
  });
}
