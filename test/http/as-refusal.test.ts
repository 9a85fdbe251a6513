import { connect } from 'node:net';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { type ErrorCode, outcomeUnknown, Refusal } from '../../contracts/errors.js';
import { unavailableCode } from '../../src/api/failures.js';
import { StoreFull, StoreUnavailable } from '../../src/database/database.js';
import { asRefusal } from '../../src/http/reply.js';

/** A connection of ours that breaks has the same code as that of a caller. */
const reset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** The answer to a caller when the work behind a route ends in this, or the request breaks off. */
async function reported(error: unknown, breakOff = false): Promise<string[]> {
  const refused: string[] = [];
  const server = fastify();
  server.setErrorHandler((thrown, request, reply) => {
    const refusal = asRefusal(thrown, request, 'receipt_unavailable');
    refused.push(refusal.code);
    return reply.code(refusal.status).send(refusal.body('x'));
  });
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.post('/', async () => {
    throw error;
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = new URL(server.listeningOrigin);
  if (breakOff) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: text/x\r\ncontent-length: 100\r\n\r\nhalf of it');
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.resetAndDestroy();
    for (let tries = 0; refused.length === 0 && tries < 3000; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } else {
    await fetch(server.listeningOrigin, { method: 'POST', body: 'a whole body' });
  }
  await server.close();
  return refused;
}

it('blames no one for a connection of ours that breaks', async () => {
  expect(await reported(reset())).toEqual(['internal_error']);
  expect(await reported(new StoreUnavailable('away', { cause: reset() }))).toEqual(['receipt_unavailable']);
  expect(await reported(new StoreFull('The disk is nearly full.'))).toEqual(['not_ready']);
  expect(await reported(new Refusal('memory_not_found', undefined, {}, { cause: reset() }))).toEqual([
    'memory_not_found',
  ]);
});

it('reports a body that breaks off from that', async () => {
  expect(await reported(new Error('never thrown'), true)).toEqual(['invalid_json']);
});

it('has a code for a store that is away on every kind of route', () => {
  expect(unavailableCode(['memory_not_found', 'receipt_unavailable'])).toBe('receipt_unavailable');
  expect(unavailableCode(['recall_receipt_unavailable'])).toBe('recall_receipt_unavailable');
  expect(unavailableCode(['webhook_not_found', 'memory_unavailable'])).toBe('memory_unavailable');
  expect(unavailableCode(['memory_not_found'])).toBe('not_ready');
});

it('writes the cause of every failure of the store to the log, with the id of the request', async () => {
  const failures = [
    new StoreFull('The disk is nearly full.'),
    new StoreUnavailable('away', { cause: reset() }),
    new Refusal('receipt_unavailable', undefined, {}, { cause: new Error('the append failed') }),
    new Error('no one expected this'),
  ];
  for (const failure of failures) {
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(line) };
    const server = fastify({ logger: { level: 'warn', stream }, genReqId: () => 'req_of_this' });
    server.setErrorHandler((thrown, request, reply) => {
      const refusal = asRefusal(thrown, request, 'receipt_unavailable');
      return reply.code(refusal.status).send(refusal.body(request.id));
    });
    server.post('/', async () => {
      throw failure;
    });
    const { body } = await server.inject({ method: 'POST', url: '/' });
    const cause = failure instanceof Refusal ? failure.cause : failure;
    const logged = lines.map((line) => JSON.parse(line)).map(({ reqId, err }) => [reqId, err.message]);
    expect(logged).toEqual([['req_of_this', expect.stringContaining(cause instanceof Error ? cause.message : '?')]]);
    expect(JSON.parse(body).error.request_id).toBe('req_of_this');
    await server.close();
  }
});

it('does not claim that nothing was written when the store went away during a request', async () => {
  const said = async (method: 'GET' | 'POST', unavailable: ErrorCode) => {
    const server = fastify();
    server.setErrorHandler((thrown, request, reply) => reply.send(asRefusal(thrown, request, unavailable).message));
    server.route({
      method,
      url: '/',
      handler: async () => {
        throw new StoreUnavailable('away');
      },
    });
    const { body } = await server.inject({ method, url: '/' });
    await server.close();
    return body;
  };
  expect(await said('POST', 'receipt_unavailable')).toBe(outcomeUnknown);
  expect(await said('POST', 'memory_unavailable')).toBe(outcomeUnknown);
  expect(await said('GET', 'memory_unavailable')).toMatch('Nothing has changed');
});
