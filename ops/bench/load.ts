import { Pool } from 'undici';
import { quantile } from './machine.js';
import type { BenchService } from './service.js';

/** Everything that clients saw: how many answers a second, and how long each took, in milliseconds. */
export interface Load {
  readonly perSecond: number;
  readonly ms: readonly number[];
}

/** A body that is a string is sent as it is. */
export type Send = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<void>;

/** Whom requests are sent to. */
export type Answering = Pick<BenchService, 'origin' | 'key'>;

/** `clients` at once, each sending its next request when the last one was answered, until `count` were sent. */
export async function load(
  service: Answering,
  clients: number,
  count: number,
  request: (send: Send, index: number) => Promise<unknown>,
): Promise<Load> {
  const pool = new Pool(service.origin, { connections: clients });
  const authorization = `Bearer ${service.key}`;
  // Who sends a cookie is a person, and gives no key.
  const withKey = (more: Readonly<Record<string, string>>) => ('cookie' in more ? more : { authorization, ...more });
  const send: Send = async (method, path, body, headers = {}) => {
    const answer = await pool.request({
      method,
      path,
      headers: withKey(headers),
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    // Reading a compressed body as text takes longer than the answer.
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} was answered with ${answer.statusCode}: ${bytes}`);
  };
  const ms: number[] = [];
  let next = 0;
  const from = performance.now();
  const client = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      const sent = performance.now();
      await request(send, index);
      ms.push(performance.now() - sent);
      if (process.stderr.isTTY && index % 100 === 0) process.stderr.write(`\r${index}/${count} `);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - from) / 1000;
  if (process.stderr.isTTY) process.stderr.write('\r                    \r');
  await pool.close();
  return { perSecond: count / seconds, ms };
}

/** p50, p95 and p99 in milliseconds, for a row of a table. */
export function latencies({ ms }: Load): string[] {
  return [0.5, 0.95, 0.99].map((share) => quantile(ms, share).toFixed(1));
}
