import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listening, listen } from '../anchoring/http.js';
import { clients, hurriedAt, usualMeans } from './clients.js';
import { endlessPeers, openPeer } from './peers.js';

/** With LONG=1 each client has the time that it has in the service, and the figures are printed. */
const meansFor = (origin: string) => (process.env.LONG === undefined ? hurriedAt(origin, 100) : usualMeans);
/** Longer than any client may take. */
const patienceMs = 40_000;

/** A server that notes what it is asked and by which program, and answers everything at once with an empty object. */
let other: Listening;
const asked = new Set<string>();
beforeAll(async () => {
  const server = createServer((request, response) => {
    asked.add([request.method, request.url, request.headers['user-agent']].join(' '));
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  other = await listen(server);
});
afterAll(() => other.close());

/** How a call ended: `no end` when it is still running after the patience. */
async function endOf(call: Promise<unknown>): Promise<{ readonly end: string; readonly ms: number }> {
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('no end'), patienceMs);
  });
  const ended = call.then(
    () => 'an answer',
    () => 'an error',
  );
  const end = await Promise.race([ended, late]);
  clearTimeout(timer);
  return { end, ms: Math.round(performance.now() - started) };
}

describe.each(endlessPeers)('a server that $name', (peer) => {
  it('is given up by every client, which then has its places again', async () => {
    const open = await openPeer(peer);
    asked.clear();
    const ends = await Promise.all(
      clients.map(async ({ name, places, speaks, open: client }) => {
        const call = client(meansFor(open.origin));
        const calls = await Promise.all(Array.from({ length: places }, () => endOf(call(open.origin))));
        const after = speaks === 'http' ? [await endOf(call(other.url))] : [];
        const longest = Math.max(...calls.map(({ ms }) => ms));
        return { name, ends: [...calls, ...after].map(({ end }) => end), longest };
      }),
    );
    await open.close();
    if (process.env.LONG !== undefined) {
      console.log(`${peer.name}: ${ends.map(({ name, longest }) => `${name} ${longest} ms`).join(', ')}`);
    }
    expect(ends.filter((one) => one.ends.includes('no end'))).toEqual([]);
    expect(asked.size).toBe(clients.filter(({ speaks }) => speaks === 'http').length);
  }, 100_000);
});
