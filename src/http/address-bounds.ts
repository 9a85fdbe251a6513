import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import { clientOf } from '../api/rate-limits.js';
import { answerClientError } from './client-errors.js';
import { slowRequest } from './connections.js';

/** Bounds on the requests of one address. */
export interface AddressBounds {
  /** In flight at the same time. */
  readonly requests: number;
  /** Of these, the ones whose body has not come after `slowMs`. */
  readonly slowBodies: number;
  readonly slowMs: number;
}

const usual: AddressBounds = {
  requests: limits.requestsPerAddress,
  slowBodies: limits.slowBodiesPerAddress,
  slowMs: limits.slowBodyMs,
};

/**
 * Bounds the requests in flight of one address: the client's, which a trusted proxy has forwarded, so that this holds behind a
 * proxy, too. A client on a slow line may send a large body for minutes; many of them at once are an attack.
 */
export function boundAddresses(server: FastifyInstance, bounds: AddressBounds = usual): void {
  const inFlight = createCounts();
  const slow = createCounts();

  function watchBody({ raw }: FastifyRequest, network: string): void {
    if (raw.complete) return;
    let isSlow = false;
    const timer = setTimeout(() => {
      if (raw.complete || raw.destroyed) return;
      if (slow.of(network) >= bounds.slowBodies) {
        answerClientError(slowRequest(), raw.socket);
        return;
      }
      isSlow = true;
      slow.add(network, 1);
    }, bounds.slowMs);
    raw.once('close', () => {
      clearTimeout(timer);
      if (isSlow) slow.add(network, -1);
    });
  }

  server.addHook('onRequest', async (request, reply) => {
    const network = clientOf(request.ip);
    if (inFlight.of(network) >= bounds.requests) {
      const sentence = `One address may have ${bounds.requests} requests in flight. Wait 5 s.`;
      throw new Refusal('rate_limited', sentence, { retry_after_seconds: 5 });
    }
    inFlight.add(network, 1);
    reply.raw.once('close', () => inFlight.add(network, -1));
    watchBody(request, network);
  });
}

/** Counts by network, of those that have any. */
function createCounts() {
  const counts = new Map<string, number>();
  const of = (network: string): number => counts.get(network) ?? 0;
  return {
    of,
    add(network: string, by: 1 | -1): void {
      const count = of(network) + by;
      if (count > 0) counts.set(network, count);
      else counts.delete(network);
    },
  };
}
