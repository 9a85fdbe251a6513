import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import { boundAddresses } from '../../src/http/address-bounds.js';
import { boundConnections } from '../../src/http/connections.js';
import { until } from '../support/until.js';

let server: FastifyInstance | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
});

async function listening(prepare: (server: FastifyInstance) => void): Promise<void> {
  server = fastify({ trustProxy: true, forceCloseConnections: true });
  server.setErrorHandler((error, _request, reply) =>
    error instanceof Refusal ? reply.code(error.status).send(error.body('x')) : reply.code(500).send(),
  );
  prepare(server);
  await server.listen({ host: '127.0.0.1', port: 0 });
}

/** Sends the beginning of a request. @returns what has come back so far, and whether the connection is closed */
async function begin(text: string) {
  const socket = connect({ port: Number(new URL(server?.listeningOrigin ?? '').port), host: '127.0.0.1' });
  sockets.push(socket);
  const seen = { text: '', isClosed: false, socket };
  socket.on('data', (chunk) => {
    seen.text += chunk.toString('utf8');
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    seen.isClosed = true;
  });
  await once(socket, 'connect');
  socket.write(text);
  return seen;
}

type Begun = Awaited<ReturnType<typeof begin>>;

const from = (address: string, length = 0) =>
  `POST / HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\n\r\n`;

it('one address has this number of requests in flight, as a proxy forwards it, and others have theirs', async () => {
  const end = new AbortController();
  await listening((one) => {
    boundAddresses(one, { requests: 2, slowBodies: 10, slowMs: 60_000 });
    one.post('/', async () => {
      if (!end.signal.aborted) await once(end.signal, 'abort');
      return 'done';
    });
  });
  const held = [await begin(from('192.0.2.1')), await begin(from('192.0.2.1'))];
  const refused = await begin(from('192.0.2.1'));
  await until(() => refused.text.includes('HTTP/1.1 429'));
  const other = await begin(from('192.0.2.2'));
  end.abort();
  await until(() => [...held, other].every(({ text }) => text.includes('HTTP/1.1 200')));
  const again = await begin(from('192.0.2.1'));
  await until(() => again.text.includes('HTTP/1.1 200'));
});

it('one address sends this number of bodies slowly, and the next one of them is ended', async () => {
  await listening((one) => {
    boundAddresses(one, { requests: 100, slowBodies: 2, slowMs: 100 });
    one.post('/', async () => 'done');
  });
  const slow: Begun[] = [];
  for (let n = 0; n < 5; n += 1) slow.push(await begin(from('192.0.2.1', 4)));
  const other = await begin(from('192.0.2.2', 4));
  await until(() => slow.filter(({ isClosed }) => isClosed).length === 3);
  for (const { text, isClosed } of slow) if (isClosed) expect(text).toContain('HTTP/1.1 408');
  const left = [...slow.filter(({ isClosed }) => !isClosed), other];
  expect(left).toHaveLength(3);
  for (const { socket } of left) socket.write('body');
  await until(() => left.every(({ text }) => text.includes('HTTP/1.1 200')));
});

it('one address has this number of connections, of which a few more hear that there are too many', async () => {
  await listening((one) => {
    const isAbove = boundConnections(one.server, { all: 1000, ofAddress: 3 });
    one.post('/', async (request) => (isAbove(request.raw) ? 'too many' : 'taken'));
  });
  const all: Begun[] = [];
  for (let n = 0; n < 22; n += 1) all.push(await begin(from('192.0.2.1')));
  await until(() => all.slice(0, 19).every(({ text }) => text !== ''));
  expect(all.slice(0, 3).every(({ text }) => text.endsWith('taken'))).toBe(true);
  expect(all.slice(3, 19).every(({ text }) => text.endsWith('too many'))).toBe(true);
  await until(() => all.slice(19).every(({ text, isClosed }) => isClosed && text === ''));
});
