import { Pool } from 'undici';
import { type BenchService, benchKey } from './service.js';
import { randomStream, sentence } from './words.js';

const perSecond = 30;
/** Every ten seconds this number of requests come at once. */
const burst = 60;
/** More than these are not sent before others were answered: a service that is slow is not buried. */
const mostInFlight = 200;

export interface SoakLoad {
  /** Milliseconds of each answer since the last call, and how many answers were none or a failure of the service. */
  take(): { readonly ms: number[]; readonly failures: number };
  /** Stops sending, and deletes every memory that was written and not deleted. */
  end(): Promise<void>;
}

/** A request of the mix: what is sent, and what the client remembers of the answer. */
interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly keep?: (text: string) => void;
}

/** Writes of several sizes, searches, lists, reads, deletes, changes of rules and requests that are refused, at a steady rate. */
export function startLoad(service: BenchService, cookie: string): SoakLoad {
  const random = randomStream(20_260);
  const pool = new Pool(service.origin, { connections: 64 });
  const held: string[] = [];
  let ms: number[] = [];
  let failures = 0;
  let inFlight = 0;

  async function send({ method, path, body, headers, keep }: Asked): Promise<void> {
    inFlight += 1;
    const from = performance.now();
    try {
      const key = { authorization: `Bearer ${benchKey}` };
      const answer = await pool.request({ method, path, headers: headers ?? key, body: body ?? null });
      const text = await answer.body.text();
      if (answer.statusCode >= 500) failures += 1;
      else if (answer.statusCode < 300) keep?.(text);
    } catch {
      failures += 1;
    } finally {
      ms.push(performance.now() - from);
      inFlight -= 1;
    }
  }

  const next = (): Asked => pick(random, held, cookie);
  const one = () => {
    if (inFlight < mostInFlight) void send(next());
  };
  const steady = setInterval(one, 1000 / perSecond);
  const bursts = setInterval(() => {
    for (let n = 0; n < burst; n += 1) one();
  }, 10_000);

  return {
    take() {
      const taken = { ms, failures };
      ms = [];
      failures = 0;
      return taken;
    },
    async end() {
      clearInterval(steady);
      clearInterval(bursts);
      while (inFlight > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      const clients = Array.from({ length: 8 }, async () => {
        for (let id = held.pop(); id !== undefined; id = held.pop()) {
          await send({ method: 'DELETE', path: `/v1/memories/${id}` });
        }
      });
      await Promise.all(clients);
      await pool.close();
    },
  };
}

const json = (value: unknown): string => JSON.stringify(value);

function pick(random: () => number, held: string[], cookie: string): Asked {
  const roll = random() * 100;
  const some = held[Math.floor(random() * held.length)] ?? '00000000-0000-0000-0000-000000000000';
  if (roll < 30) return write(random, held);
  if (roll < 52) return search(random);
  if (roll < 62) return { method: 'GET', path: `/v1/memories/${some}` };
  if (roll < 70) return { method: 'GET', path: `/v1/memories?limit=50&page=${1 + Math.floor(random() * 20)}` };
  if (roll < 74) return { method: 'GET', path: `/v1/memories?q=${encodeURIComponent(sentence(random, 1, 2))}` };
  if (roll < 77) return { method: 'GET', path: '/v1/receipts?limit=50' };
  if (roll < 79) return { method: 'GET', path: '/v1/ingest?limit=50' };
  if (roll < 90) return remove(random, held);
  if (roll < 92) return rules(random, cookie);
  return wrong(random, some);
}

function write(random: () => number, held: string[]): Asked {
  const roll = random();
  const words = roll < 0.8 ? 30 : roll < 0.97 ? 600 : 12_000;
  const source = `soak-${Math.floor(random() * 50)}`;
  return {
    method: 'POST',
    path: '/v1/memories',
    body: json({ content: sentence(random, words / 2, words), source, metadata: { n: Math.floor(random() * 1000) } }),
    // Every third can be sent again: its answer is kept for a day.
    ...(random() < 0.3 ? { headers: { authorization: `Bearer ${benchKey}`, 'idempotency-key': `${random()}` } } : {}),
    keep(text) {
      const id = /"memory_id":"([^"]+)"/.exec(text)?.[1];
      if (id !== undefined) held.push(id);
    },
  };
}

function search(random: () => number): Asked {
  const filters = random() < 0.3 ? { filters: { source: `soak-${Math.floor(random() * 50)}` } } : {};
  return {
    method: 'POST',
    path: '/v1/memories/search',
    body: json({ query: sentence(random, 2, 12), k: 10, ...filters }),
  };
}

function remove(random: () => number, held: string[]): Asked {
  const [id] = held.splice(Math.floor(random() * held.length), 1);
  return { method: 'DELETE', path: `/v1/memories/${id ?? 'none'}` };
}

function rules(random: () => number, cookie: string): Asked {
  const headers = { cookie };
  if (random() < 0.5) return { method: 'GET', path: '/v1/rules', headers };
  const ask_owner = [{ source: `held-${Math.floor(random() * 5)}` }];
  return {
    method: 'PUT',
    path: '/v1/rules',
    headers,
    body: json({ pause_all: false, sensitive: 'redact', ask_owner }),
  };
}

/** Everything that clients do wrong: each is refused, and none may leave anything behind in the service. */
function wrong(random: () => number, some: string): Asked {
  const key = `ak_${Math.floor(random() * 1e15)}`;
  const all: readonly Asked[] = [
    { method: 'POST', path: '/v1/memories', body: '{"content": ' },
    { method: 'POST', path: '/v1/memories', body: json({ content: '' }) },
    { method: 'POST', path: '/v1/memories/search', body: json({ query: 'x', k: 1000 }) },
    { method: 'GET', path: `/v1/memories/${some}x` },
    { method: 'GET', path: '/v1/memories', headers: { authorization: `Bearer ${key}` } },
    { method: 'GET', path: `/nowhere/${Math.floor(random() * 1e9)}` },
  ];
  return all[Math.floor(random() * all.length)] ?? { method: 'GET', path: '/nowhere' };
}
