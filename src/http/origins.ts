/** The addresses by which /mcp may be reached, and the sites whose pages may call it. */
export interface Origins {
  /** @param hostname of the request, without its port */
  isOwnHost(hostname: string): boolean;
  /** @param origin the header Origin, exactly as it was sent */
  allows(origin: string): boolean;
}

/**
 * A page of another site can make a browser send requests to a name that the site has pointed at this service. Such a request
 * names that site in Host, and in Origin where browsers send it.
 * @param allowed origins, or `*` for all; undefined for the service's own, and those of this machine if the service is on it
 */
export function createOrigins(baseUrl: string, allowed: readonly string[] | undefined): Origins {
  const own = new URL(baseUrl);
  const all = allowed?.includes('*') ?? false;
  const named = new Set(allowed ?? [own.origin]);
  const loopback = allowed === undefined && isLoopback(own.hostname);
  return {
    isOwnHost: (hostname) => hostname.toLowerCase() === own.hostname,
    allows: (origin) => all || named.has(origin) || (loopback && isLoopbackOrigin(origin)),
  };
}

function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, origin: normal } = new URL(origin);
  return /^https?:$/.test(protocol) && normal === origin && isLoopback(hostname);
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
