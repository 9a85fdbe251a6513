import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** The rest of a body that is read and thrown away: up to this number of bytes, for up to this time. */
export const mostUnread = { bytes: 64 * 1024 * 1024, ms: 5000 };

/**
 * Sends answers at once, also before all of the body has come, and ends them only when it has. A connection that is closed while
 * its client still sends is reset, and a client that reads nothing before it has sent everything never sees why it was refused.
 */
export function readUnreadBodies(server: FastifyInstance, bounds = mostUnread): void {
  server.addHook('onSend', async (request, reply, payload) => {
    const { raw } = request;
    if (raw.complete || raw.destroyed || !(typeof payload === 'string' || payload instanceof Uint8Array))
      return payload;
    const bytes = Buffer.from(payload);
    void reply.header('content-length', bytes.length);
    const answer = new Readable({ read: () => undefined });
    answer.push(bytes);
    void readRest(raw, bounds).then((isRead) => {
      // Node would continue to read, without an end. A request that a test injects has no connection.
      if (!isRead && raw.socket instanceof Socket) reply.raw.once('finish', () => raw.socket.destroySoon());
      answer.push(null);
    });
    return answer;
  });
}

/** Reads the rest of a body, within bounds. @returns whether that was all of it */
function readRest(body: IncomingMessage, bounds: typeof mostUnread): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = 0;
    const end = () => {
      clearTimeout(timer);
      body.off('data', count);
      body.off('close', end);
      resolve(body.complete);
    };
    const count = (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes > bounds.bytes) end();
    };
    const timer = setTimeout(end, bounds.ms);
    body.on('data', count);
    body.once('end', end);
    body.once('close', end);
    // The client has gone, which the connection says too.
    body.on('error', () => undefined);
    body.resume();
  });
}
