import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { apiKey, startService } from './service.js';

/** All that the service sends until it ends the connection. */
function sent(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(text));
    socket.setEncoding('utf8').on('data', (data) => {
      answer += data;
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}

it('a request whose client has closed its side is carried out and answered, and ends the connection', async () => {
  const service = await startService();
  const port = Number(new URL(service.app.server.listeningOrigin).port);
  const request = (method: string, path: string, body = '') =>
    sent(
      port,
      `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${apiKey}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  expect(await request('GET', '/healthz')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await request('POST', '/v1/memories', '{"content":"half closed"}')).toMatch(/^HTTP\/1\.1 202 /);
  await service.settled();
  expect((await service.call('GET', '/v1/memories')).text).toContain('half closed');
  // What is no whole request is not carried out.
  const cut = `POST /v1/memories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${apiKey}\r\ncontent-length: 99\r\n\r\n{"content":"cut"}`;
  expect(await sent(port, cut)).not.toMatch(/^HTTP\/1\.1 2/);
  expect(await sent(port, '')).toBe('');
  await service.settled();
  expect((await service.call('GET', '/v1/memories')).json.data).toHaveLength(1);
  // A stream would otherwise stay open for a client that has gone.
  expect(await request('GET', '/v1/terminal/stream')).toMatch(/^HTTP\/1\.1 \d{3} /);
  await service.stop();
});
