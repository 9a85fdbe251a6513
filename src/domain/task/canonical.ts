import { canonical } from '../../verifier/canonical.js';
import type { SentReceipt } from './body.js';

/**
 * RFC 8785 of a receipt as it was sent, which decides whether two receipts are the same. RFC 8785 has no form for a
 * number that is too large for a double (`1e999`), which a private member may have: it is written as a string of NUL and
 * its spelling. No string of a receipt has a NUL, so no other receipt has this form.
 */
export function canonicalOf({ body, part, value, unusual }: SentReceipt): string {
  const tooLarge = unusual.filter(({ from, to }) => !Number.isFinite(Number(body.slice(from, to))));
  if (tooLarge.length === 0) return canonical(value);
  let at = part.from;
  const pieces = tooLarge.flatMap(({ from, to }) => {
    const before = body.slice(at, from);
    at = to;
    return [before, JSON.stringify(`\0${body.slice(from, to)}`)];
  });
  return canonical(JSON.parse([...pieces, body.slice(at, part.to)].join('')));
}
