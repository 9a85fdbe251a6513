import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type BoundedAnswer, type BoundedRequest, boundedFetch, Unavailable } from '../adapters/bounded-fetch.js';
import { pauseAfter } from '../base/backoff.js';
import { readConfig } from '../settings/config.js';
import { loadDotEnv } from './settings.js';

export interface RemoteOptions {
  readonly url?: string;
  readonly key?: string;
}

/** A client for the REST API of a running service, with an API key. */
export interface Remote {
  readonly url: string;
  /**
   * Sends a request, and repeats it after the requested time when the service answers 429 or 503.
   * @throws Unavailable when the service cannot be reached, or asks to wait too long or too often
   */
  ask(path: string, request: Omit<BoundedRequest, 'timeoutMs'>): Promise<BoundedAnswer>;
}

/** The body of a refusal. Some refusals have their code at the top level, see contracts/errors.ts. */
const refusal = z.union([
  z.object({ error: z.object({ code: z.string(), message: z.string() }) }).transform(({ error }) => error),
  z.object({ error: z.string(), message: z.string() }).transform(({ error, message }) => ({ code: error, message })),
]);

const timeoutMs = 60_000;
const longestWaitMs = 10 * 60_000;
/** The number of attempts for one request. Other requests may use the free capacity for which it waited. */
const maxAttempts = 50;
/** The number of failed connections in a row. A service that restarts cannot be reached for some seconds. */
const maxFailures = 5;
/** The pauses between them. */
const failing = { firstMs: 1000, longestMs: 8000 };

/**
 * Connects to the service at --url, or at the address in the local settings, with the key of --key or COUNTERFOIL_API_KEY.
 * @throws Error with a sentence for the user of the command
 */
export function openRemote({ url, key }: RemoteOptions, wait: (ms: number) => Promise<unknown> = sleep): Remote {
  loadDotEnv();
  const credential = key ?? process.env.COUNTERFOIL_API_KEY ?? '';
  // The error for an invalid header would contain the key.
  if (!/^[\x21-\x7e]+$/.test(credential)) {
    throw new Error('Give an API key of the workspace with --key, or in COUNTERFOIL_API_KEY.');
  }
  const base = (url ?? readConfig(process.env).baseUrl).replace(/\/+$/, '');
  if (!/^https?:\/\/[^\s]+$/.test(base) || !URL.canParse(base)) {
    throw new Error('What --url gives must be an http or https address.');
  }
  return {
    url: base,
    async ask(path, { headers, ...request }) {
      const sent = { ...request, headers: { ...headers, authorization: `Bearer ${credential}` }, timeoutMs };
      let failures = 0;
      for (let left = maxAttempts; left > 0; left -= 1) {
        try {
          const answer = await boundedFetch(`${base}${path}`, sent);
          if (answer.status !== 429 && answer.status !== 503) return answer;
          failures = 0;
          const ms = answer.retryAfterMs ?? 1000;
          if (ms > longestWaitMs) {
            throw new Unavailable(`it asks to retry after ${Math.ceil(ms / 1000)} s`, { cause: 'wait' });
          }
          await wait(ms);
        } catch (error) {
          if (!(error instanceof Unavailable)) throw error;
          failures += 1;
          if (error.cause === 'wait' || failures === maxFailures) throw new Unavailable(`${base}: ${error.message}`);
          await wait(pauseAfter(failing, failures - 1));
        }
      }
      throw new Unavailable(`${base}: it asked to wait ${maxAttempts} times in a row`);
    },
  };
}

/** @throws Unavailable when the answer is not a refusal of this service */
export function readRefusal(remote: Remote, answer: BoundedAnswer): { code: string; message: string } {
  return readAnswer(remote, answer, refusal);
}

/** @throws Unavailable when the answer has another shape, because another server answers at this address */
export function readAnswer<T>({ url }: Remote, { status, body }: BoundedAnswer, shape: z.ZodType<T>): T {
  try {
    return shape.parse(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    throw new Unavailable(`${url}: it answered ${status}, and not as Counterfoil does. Is the address right?`);
  }
}
