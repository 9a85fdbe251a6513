import { z } from 'zod';
import type { BenchService } from './service.js';

/** @returns the cookie of a session */
export async function signIn(service: BenchService, email: string, password: string): Promise<string> {
  const response = await fetch(`${service.origin}/v1/session`, {
    method: 'POST',
    body: JSON.stringify({ email, password }),
  });
  const [cookie = ''] = response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  if (!response.ok || cookie === '') throw new Error(`signing in was answered with ${response.status}`);
  return cookie;
}

const linked = z.object({ token: z.string() });

/** Links an agent whose identity is made of the number. @returns its token */
export async function linkAgent(service: BenchService, cookie: string, number: number): Promise<string> {
  const agent_id = `agn_${'a'.repeat(31)}${'abcdefghijklmnopqrstuvwxyz234567'[number]}`;
  return linked.parse(await ask(service, 'POST', '/v1/agents', { cookie }, { agent_id })).token;
}

/** Asks as the service's key, or as who has signed in. @throws when the answer is a refusal other than `but` */
export async function ask(
  service: BenchService,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
  but?: number,
): Promise<unknown> {
  const key: Record<string, string> = headers.cookie === undefined ? { authorization: `Bearer ${service.key}` } : {};
  const response = await fetch(`${service.origin}${path}`, {
    method,
    headers: { ...key, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok && response.status !== but)
    throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
  return JSON.parse(text);
}
