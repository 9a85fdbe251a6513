import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerClientError } from '../../src/http/client-errors.js';
import { callersRequestId } from '../../src/http/reply.js';
import { ask } from './ask.js';
import { apiKey, type Service, startService } from './service.js';

/** Everything that comes back for these bytes until the other side hangs up. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      got += chunk.toString('utf8');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(got));
  });
}

function refusalIn(answer: string): unknown[] {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const { error } = JSON.parse(body);
  return [Number(head.split(' ')[1]), error.code, head.includes(`x-request-id: ${error.request_id}`)];
}

describe('request ids', () => {
  let service: Service;
  let origin: string;
  beforeAll(async () => {
    service = await startService();
    origin = service.app.server.listeningOrigin;
  });
  afterAll(() => service.stop());

  // @covers ERROR-REQUEST-ID
  it('are in every answer, and in refusals too; a caller cannot choose them', async () => {
    const seen = new Set<string | null>();
    for (const path of ['/v1/memories', '/v1/nothing', '/v1/memories/%ff', '/healthz', '/v1/ledger/keys']) {
      const headers = { authorization: `Bearer ${apiKey}`, 'x-request-id': 'mine' };
      const { headers: given, json } = await ask(origin, 'GET', path, { headers });
      seen.add(given.get('x-request-id'));
      if (json?.error) expect(json.error.request_id).toBe(given.get('x-request-id'));
    }
    expect(seen.size).toBe(5);
    expect([...seen].every((id) => /^[0-9a-f-]{36}$/.test(id ?? ''))).toBe(true);
    expect(callersRequestId('order-17')).toBe('order-17');
    expect(['', 'a b', '\u001b[2J', 'x'.repeat(129), ['a'], undefined].map(callersRequestId)).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
  });

  // @covers ERROR-REQUEST-ID ERR-headers_too_large ERR-invalid_request
  it('are in the answers to what is no request', async () => {
    const port = Number(new URL(origin).port);
    const host = 'Host: a\r\n';
    expect(refusalIn(await exchange(port, 'GARBAGE\r\n\r\n'))).toEqual([400, 'invalid_request', true]);
    const long = `GET / HTTP/1.1\r\n${host}x: ${'y'.repeat(40_000)}\r\n\r\n`;
    expect(refusalIn(await exchange(port, long))).toEqual([431, 'headers_too_large', true]);
    const expecting = `GET /v1/nothing HTTP/1.1\r\n${host}Expect: 200-ok\r\nConnection: close\r\n\r\n`;
    expect(refusalIn(await exchange(port, expecting))).toEqual([404, 'route_not_found', true]);
  });

  // @covers ERR-request_timeout
  it('are in the answer to a request that does not come to its end', async () => {
    const server = createServer({ headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 50 });
    server.on('clientError', answerClientError);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(refusalIn(await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\n'))).toEqual([408, 'request_timeout', true]);
    await new Promise((resolve) => server.close(resolve));
  });
});
