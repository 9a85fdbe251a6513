import type { FastifyReply, FastifyRequest } from 'fastify';

/** Programs add a slash to an address of the API out of habit. It means the same address, and not one with an empty id. */
export function withoutSlash(url: string): string {
  const [path = '', ...query] = url.split(/(?=\?)/);
  if (!/^\/v1\/.*[^/]\/$/.test(path)) return url;
  return path.slice(0, -1) + query.join('');
}

/**
 * Leads from an address that ends with a slash to the page without it, because the links of a page may depend on its address.
 * @returns null for any other address: one that begins with two slashes would lead to another host
 */
export function sendToPage({ method, url }: FastifyRequest, reply: FastifyReply): FastifyReply | null {
  const [, path, query = ''] = /^((?:\/[\w.~-]+)+)\/(\?.*)?$/.exec(url) ?? [];
  if (path === undefined || !['GET', 'HEAD'].includes(method)) return null;
  return reply
    .code(308)
    .header('location', path + query)
    .send();
}
