/**
 * A page loads its own style and script, and cannot be framed. Its forms go to this service only. Browsers hold redirects after a
 * form to `form-action` too, so a form never redirects to another site: where a person continues elsewhere, the answer is a page
 * that continues by itself.
 */
const policy = (script: readonly string[]) =>
  [
    "default-src 'none'",
    ...script,
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** A page that asks for a password or shows a secret once runs no script: nothing may read along. */
export const policies = { withScript: policy(["script-src 'self'", "connect-src 'self'"]), withoutScript: policy([]) };

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
