import type { FastifyReply } from 'fastify';
import type { Budget } from '../api/rate-limits.js';

/** The headers that say what is left of a budget before a request is refused (draft-ietf-httpapi-ratelimit-headers). */
export const rateHeaders = ['ratelimit-policy', 'ratelimit'] as const;

/** Adds a budget to those that an answer names already. The name of the limit distinguishes them. */
export function showBudget(reply: FastifyReply, { limit, remaining, resetSeconds }: Budget): void {
  const { name, requests, seconds } = limit;
  const [policy, left] = rateHeaders;
  append(reply, policy, `"${name}";q=${requests};w=${seconds}`);
  append(reply, left, `"${name}";r=${remaining};t=${resetSeconds}`);
}

function append(reply: FastifyReply, name: string, member: string): void {
  const said = reply.getHeader(name);
  void reply.header(name, said === undefined ? member : `${said}, ${member}`);
}
