import { rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, start } from '../../faults/service-process.js';
import { quickStore } from '../../support/prepared-store.js';

const key = 'ak_connections00000000000000000000000';
const headers = { authorization: `Bearer ${key}` };

describe('a service that may open 1,024 files', () => {
  let directory: string;
  let service: Service;
  beforeAll(async () => {
    directory = await quickStore();
    const env = { DATA_DIR: directory, PORT: '0', BOOTSTRAP_API_KEY: key, RATE_LIMITS: 'off', OTS_CALENDARS: 'off' };
    service = await start({ ...env, LOG_LEVEL: 'error' }, 1024);
  });
  afterAll(async () => {
    await service.kill();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Connects without sending anything. @returns null when the service closes the connection */
  const idle = (): Promise<Socket | null> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(service.origin);
      const socket = connect(Number(port), hostname, () =>
        setTimeout(() => resolve(socket.destroyed ? null : socket), 50),
      );
      socket.on('error', () => resolve(null));
      socket.on('close', () => resolve(null));
    });
  const write = () =>
    fetch(`${service.origin}/v1/memories`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ content: `call +44 20 7946 0958, ${'the heron is in the shallows '.repeat(20_000)}` }),
    });

  it('continues with 1,100 idle connections and a large write, and takes writes when they are gone', async () => {
    const kept = await fetch(`${service.origin}/healthz`);
    await kept.text();
    const sockets: Socket[] = [];
    for (let n = 0; n < 1100; n += 50) {
      const some = await Promise.all(Array.from({ length: 50 }, idle));
      sockets.push(...some.filter((socket) => socket !== null));
    }
    expect(sockets.length).toBeGreaterThan(300);
    // The connection that was there before is served; a new one may be refused, but politely or by being closed.
    const status = await write().then(
      async (answer) => answer.status,
      () => 0,
    );
    expect([0, 202, 503]).toContain(status);
    for (const socket of sockets) socket.destroy();
    await pause(500);
    const answer = await write();
    expect(answer.status).toBeLessThan(300);
    expect(await (await fetch(`${service.origin}/readyz`)).json()).toMatchObject({ status: 'ready' });
  });

  it('answers a connection above its bound with not_ready, and closes it', async () => {
    const sockets = (await Promise.all(Array.from({ length: 460 }, idle))).filter((socket) => socket !== null);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${service.origin}/v1/memories`, { headers, agent: false }, resolve).on('error', reject);
    });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers.connection).toBe('close');
    expect(JSON.parse(await text(answer))).toMatchObject({ error: { code: 'not_ready' } });
    for (const socket of sockets) socket.destroy();
  });

  it('closes a connection on which a request does not come to its end', async () => {
    const { hostname, port } = new URL(service.origin);
    const from = performance.now();
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write('POST /v1/memories HTTP/1.1\r\nHost: a\r\n'));
      const dripping = setInterval(() => socket.write('X'), 1000);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(dripping);
        resolve();
      });
    });
    // After 20 s and at the next look, which comes every 5; without a bound it stays open forever.
    expect(performance.now() - from).toBeLessThan(120_000);
  });
});
