import { Refusal } from '../../contracts/errors.js';

/** The part of a request that shows its origin. */
export interface Origin {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Browsers send a cookie with requests that other sites make, and say in `Origin`, the older ones in `Sec-Fetch-Site`, who
 * does. A client that says neither is no browser, and no page can make it send the cookie of a person.
 * @throws Refusal csrf
 */
export function refuseOtherSites({ method, headers }: Origin, baseUrl: string): void {
  if (safe.has(method)) return;
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin !== undefined) {
    // The page may have been opened by any name of this service: a cookie is sent only to the host that has set it.
    if (typeof origin === 'string' && (origin === new URL(baseUrl).origin || hostOf(origin) === host)) return;
    throw new Refusal('csrf');
  }
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Refusal('csrf');
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
