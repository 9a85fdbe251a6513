import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type BoundedAnswer, type BoundedRequest, boundedFetch, Unavailable } from '../adapters/bounded-fetch.js';
import { readConfig } from '../config.js';
import { loadDotEnv } from './settings.js';

export interface RemoteOptions {
  readonly url?: string;
  readonly key?: string;
}

/** A running service, as its REST API shows it to the holder of a key. */
export interface Remote {
  readonly url: string;
  /**
   * Asks until the service answers with neither 429 nor 503, for as long as it wants to be waited for.
   * @throws Unavailable when it cannot be reached, or wants to be waited for too long or too often
   */
  ask(path: string, request: Omit<BoundedRequest, 'timeoutMs'>): Promise<BoundedAnswer>;
}

/** What a refusal is answered as. Some refusals have their code on the outside, see contracts/errors.ts. */
const refusal = z.union([
  z.object({ error: z.object({ code: z.string(), message: z.string() }) }).transform(({ error }) => error),
  z.object({ error: z.string(), message: z.string() }).transform(({ error, message }) => ({ code: error, message })),
]);

const timeoutMs = 60_000;
const longestWaitMs = 10 * 60_000;
/** How often one request is sent: other requests of this command, and other callers, may take the room waited for. */
const mostTries = 50;
/** How often in a row it may not be reached: a service that starts again is away for some seconds. */
const mostAway = 5;

/**
 * The service at --url, or at the address that the settings here give one, with the key of --key or COUNTERFOIL_API_KEY.
 * @throws Error with a sentence for whoever typed the command
 */
export function openRemote({ url, key }: RemoteOptions, wait: (ms: number) => Promise<unknown> = sleep): Remote {
  loadDotEnv();
  const credential = key ?? process.env.COUNTERFOIL_API_KEY ?? '';
  // A header that cannot be sent would be told of with the key in the message.
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
      let away = 0;
      for (let left = mostTries; left > 0; left -= 1) {
        try {
          const answer = await boundedFetch(`${base}${path}`, sent);
          if (answer.status !== 429 && answer.status !== 503) return answer;
          away = 0;
          const ms = answer.retryAfterMs ?? 1000;
          if (ms > longestWaitMs) {
            throw new Unavailable(`it wants to be asked again in ${Math.ceil(ms / 1000)} s`, { cause: 'wait' });
          }
          await wait(ms);
        } catch (error) {
          if (!(error instanceof Unavailable)) throw error;
          away += 1;
          if (error.cause === 'wait' || away === mostAway) throw new Unavailable(`${base}: ${error.message}`);
          await wait(1000 * 2 ** (away - 1));
        }
      }
      throw new Unavailable(`${base}: it has asked ${mostTries} times in a row to be waited for`);
    },
  };
}

/** @throws Unavailable when it is no refusal as this service answers them */
export function readRefusal(remote: Remote, answer: BoundedAnswer): { code: string; message: string } {
  return readAnswer(remote, answer, refusal);
}

/** @throws Unavailable when the answer has another shape: somebody else answers there */
export function readAnswer<T>({ url }: Remote, { status, body }: BoundedAnswer, shape: z.ZodType<T>): T {
  try {
    return shape.parse(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    throw new Unavailable(`${url}: it answered ${status}, and not as Counterfoil does. Is the address right?`);
  }
}
