/**
 * A page loads nothing but its style, runs no script and cannot be framed. Its forms go to this service only. Browsers hold
 * redirects after a form to `form-action` too, so a form never redirects to another site: where a person continues
 * elsewhere, the answer is a page that continues by itself.
 */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of every page for people. */
export const pageHeaders = {
  'content-security-policy': policy,
  // For browsers that do not know frame-ancestors.
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  // Not no-referrer: with it a browser sends `Origin: null` with its own forms, and they could not be known from others.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};
