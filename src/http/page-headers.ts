/**
 * What a page may load and do. Its forms go to this service only. Browsers hold redirects after a form to `form-action` too, and
 * the consent to a client has to continue at the client: it needs no exception here, because its form is answered with a page that
 * continues by itself.
 */
const policy = (script: string, connect: string) =>
  `default-src 'none'; ${script}style-src 'self'; img-src 'self' data:; ${connect}base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** A page that asks for a password or shows a secret once runs no script: nothing may read along. */
export const policies = {
  withScript: policy("script-src 'self'; ", "connect-src 'self'; "),
  withoutScript: policy('', ''),
};

/** The headers of every page for people. */
export const pageHeaders = {
  'content-security-policy': policies.withoutScript,
  // For browsers that do not know frame-ancestors.
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  // Not no-referrer: with it a browser sends `Origin: null` with its own forms, and they could not be known from others.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/**
 * The header with which a browser asks for this host by https only, for a year. Other services may be on other names below it, so
 * it says nothing about those.
 */
export function transportHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return baseUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {};
}
