import { Agent, request } from 'node:http';
import type { Wire } from '../openapi/check.js';
import type { Body } from './bodies.js';

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Sends what `fetch` would repair or refuse: addresses and headers go out as they are. */
export function send(
  origin: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Body,
): Promise<Wire> {
  const { hostname, port } = new URL(origin);
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const length = bytes === undefined ? {} : { 'content-length': String(bytes.length) };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { agent, hostname, port, method, path, headers: { ...headers, ...length } },
      (incoming) => {
        const chunks: Buffer[] = [];
        const finish = () => {
          const given = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
            name,
            String(value),
          ]);
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ method, path, status: incoming.statusCode ?? 0, headers: new Headers(given), text });
        };
        incoming.on('data', (chunk) => {
          chunks.push(chunk);
          // A stream of events has no end: its first event is enough.
          if (!incoming.headers['content-type']?.startsWith('text/event-stream')) return;
          finish();
          outgoing.destroy();
        });
        incoming.on('error', reject);
        incoming.on('end', finish);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}
