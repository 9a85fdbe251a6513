import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../contracts/errors.js';
import type { Operation } from '../api/operation.js';
import { refuse } from './reply.js';

/** Refuses the methods that closed paths do not take, before any credential is looked at, and names those that they take. */
export function refuseOtherMethods(server: FastifyInstance, operations: readonly Operation[]): void {
  const closed = new Set(operations.filter((one) => one.closed).map(({ path }) => path));
  for (const url of closed) {
    const taken = operations.filter(({ path }) => path === url).map(({ method }) => method);
    const sentence = `This path takes ${taken.join(' or ')}.`;
    server.route({
      method: server.supportedMethods.filter((method) => !taken.some((one) => one === method)),
      url,
      exposeHeadRoute: false,
      // Before the body, which no method that is refused needs.
      onRequest: async (_request, reply) =>
        refuse(reply.header('allow', taken.join(', ')), new Refusal('method_not_allowed', sentence)),
      handler: async (_request, reply) => reply,
    });
  }
}
