import { once } from 'node:events';
import { connect } from 'node:net';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readUnreadBodies } from '../../src/http/unread-body.js';
import { apiKey, type Service, startService } from './service.js';

const mebibyte = Buffer.alloc(1024 * 1024, 'x');

/** A client that reads nothing before it has sent everything, as many libraries do. @returns all that it then reads */
async function sendThenRead(port: number, head: string, parts: readonly Uint8Array[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.pause();
  const failed = once(socket, 'error').then(([error]) => Promise.reject(error));
  const sent = (async () => {
    await once(socket, 'connect');
    for (const part of [Buffer.from(head), ...parts]) {
      await new Promise<void>((resolve, reject) => socket.write(part, (error) => (error ? reject(error) : resolve())));
    }
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
    });
    socket.resume();
    await once(socket, 'end');
    return text;
  })();
  return Promise.race([sent, failed]).finally(() => socket.destroy());
}

describe('a body that is too large, or that is not wanted, is read before its connection is closed', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const port = () => Number(new URL(service.app.server.listeningOrigin).port);

  const key = `authorization: Bearer ${apiKey}\r\n`;
  const body = Array<Uint8Array>(9).fill(mebibyte);
  const sized = `content-length: ${9 * mebibyte.length}\r\n\r\n`;

  it.each([
    ['too large for its route', 'POST /v1/memories', key, 413, 'body_too_large'],
    ['too large for sign-in', 'POST /v1/session', '', 413, 'body_too_large'],
    ['too large for a new identity', 'POST /v1/identities', '', 413, 'body_too_large'],
    ['too large for task receipts', 'POST /v1/receipts', key, 413, 'body_too_large'],
    ['too large for an export of spans', 'POST /v1/otlp/v1/traces', key, 413, 'body_too_large'],
    ['too large for a form', 'POST /sign-in', 'content-type: application/x-www-form-urlencoded\r\n', 413, ''],
    ['too large for the authorization server', 'POST /oauth/token', '', 413, ''],
    ['without a credential', 'POST /v1/memories', '', 401, 'unauthorized'],
    ['over MCP without a credential', 'POST /mcp', '', 401, ''],
    ['for no route', 'POST /v1/nowhere', key, 413, 'body_too_large'],
    ['with a method that takes none', 'GET /v1/memories', key, 200, ''],
    ['with another method', 'PUT /v1/memories', key, 413, 'body_too_large'],
  ])('%s', async (_, request, headers, status, code) => {
    const [method, path] = request.split(' ');
    const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port()}\r\nconnection: close\r\n${headers}${sized}`;
    const answer = await sendThenRead(port(), head, body);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain(code);
  });

  it('sent in chunks', async () => {
    const head = `POST /v1/memories HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${key}transfer-encoding: chunked\r\n\r\n`;
    const size = Buffer.from(`${mebibyte.length.toString(16)}\r\n`);
    const chunk = Buffer.concat([size, mebibyte, Buffer.from('\r\n')]);
    const answer = await sendThenRead(port(), head, [...Array<Uint8Array>(9).fill(chunk), Buffer.from('0\r\n\r\n')]);
    expect(answer).toContain('HTTP/1.1 413 ');
  });

  it('in its head', async () => {
    const head = `GET /healthz HTTP/1.1\r\nhost: x\r\nx-long: `;
    expect(await sendThenRead(port(), head, body)).toContain('HTTP/1.1 431 ');
  });
});

describe('the reading of what is not wanted', () => {
  const bounds = { bytes: 4 * mebibyte.length, ms: 300 };
  const server = fastify({ bodyLimit: 1024 });
  beforeAll(async () => {
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    readUnreadBodies(server, bounds);
    server.post('/', async () => 'taken');
    await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());
  const port = () => Number(new URL(server.listeningOrigin).port);
  const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000\r\n\r\n';

  /** Reads and sends at the same time. @returns the answer, and the bytes that were sent until the connection was closed */
  async function sendUntilClosed(next: () => Uint8Array | null): Promise<{ answer: string; sent: number }> {
    const socket = connect({ port: port(), host: '127.0.0.1' });
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('utf8');
    });
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(head);
    for (let part = next(); part !== null && !socket.destroyed; part = next()) {
      if (!socket.write(part)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }
    await closed;
    return { answer, sent: socket.bytesWritten };
  }

  it('ends after a number of bytes', async () => {
    const { answer, sent } = await sendUntilClosed(() => mebibyte);
    expect(answer).toContain('HTTP/1.1 413 ');
    expect(sent).toBeLessThan(64 * mebibyte.length);
  });

  it('ends after a time', async () => {
    const { answer } = await sendUntilClosed(() => null);
    expect(answer).toContain('HTTP/1.1 413 ');
  });
});
