import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../contracts/errors.js';
import type { Operation } from '../api/operation.js';
import { refuse } from './reply.js';

/** The method of the operation that answers: HEAD asks for the headers of a GET. */
export const operationMethod = (method: string): string => (method === 'HEAD' ? 'GET' : method);

/** Allows routes to name every method that the parser of Node reads. CONNECT never becomes a request. */
export function knowAllMethods(server: FastifyInstance): void {
  const known = new Set<string>(server.supportedMethods);
  for (const method of METHODS) if (method !== 'CONNECT' && !known.has(method)) server.addHttpMethod(method);
}

/** Refuses the methods that closed paths do not take, before any credential is looked at, and names those that they take. */
export function refuseOtherMethods(server: FastifyInstance, operations: readonly Operation[]): void {
  const closed = new Set(operations.filter((one) => one.serving.closed).map(({ path }) => path));
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
