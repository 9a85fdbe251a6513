import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refusal } from '../../contracts/errors.js';

/** Refuses every method that a path has no route for by then, whoever asks, and names those that it has. */
export function refuseOtherMethods(
  server: FastifyInstance,
  paths: readonly string[],
  refuse: (refusal: Refusal, reply: FastifyReply) => void,
): void {
  for (const url of paths) {
    const taken = server.supportedMethods.filter((method) => server.hasRoute({ method, url }));
    const others = server.supportedMethods.filter((method) => !taken.includes(method));
    const sentence = `This path takes ${taken.join(' or ')}.`;
    server.route({
      method: others,
      url,
      exposeHeadRoute: false,
      // Before the body, which no method that is refused needs.
      onRequest: async (_request, reply) => {
        refuse(new Refusal('method_not_allowed', sentence), reply.header('allow', taken.join(', ')));
        return reply;
      },
      handler: async (_request, reply) => reply,
    });
  }
}
