import { createHmac } from 'node:crypto';
import type { NamedTask } from '../../../contracts/task-receipt.js';
import { canonical } from '../../verifier/canonical.js';
import type { SentReceipt } from './body.js';

/** A task receipt as a platform has sent it, checked and divided into what an entry holds and what can be erased. */
export interface SubmittedTask {
  readonly task: NamedTask;
  /** The tools outside the declared scope in the order of their first call; null when no scope was declared. */
  readonly scopeViolations: readonly string[] | null;
  /**
   * A JSON object with `task_summary` and all members that the schema does not name, exactly as they were sent; null when
   * there are none.
   */
  readonly privateText: string | null;
  /** RFC 8785 of all that was sent. Two submissions are the same when these are equal. */
  readonly canonical: string;
}

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

/**
 * A digest of all that was sent, by which two submissions are compared without the text of the first one. It says nothing
 * any more once the salt of the receipt is destroyed.
 */
export type SentDigest = (salt: Uint8Array, canonical: string) => string;

/** @param secret 32 bytes of the installation, so that a copy of a store without them reveals nothing of what was sent */
export function createSentDigest(secret: Uint8Array): SentDigest {
  return (salt, canonical) => {
    const key = createHmac('sha256', secret).update(salt).digest();
    return createHmac('sha256', key).update(canonical, 'utf8').digest('hex');
  };
}

/**
 * The tools that no item of the declared scope covers, in the order of their first call, each once. An item covers every
 * tool (`*`), the tools whose names begin with a prefix (`prefix.*`), or the tool of exactly this name.
 * @returns null when no scope was declared
 */
export function scopeViolations(
  calls: readonly { readonly tool: string }[],
  scope: readonly string[] | undefined,
): readonly string[] | null {
  if (scope === undefined) return null;
  if (scope.includes('*')) return [];
  const exact = new Set(scope);
  const prefixes = new Set(scope.filter((item) => item.endsWith('.*')).map((item) => item.slice(0, -1)));
  // A tool is compared with one text for each length, and not with each prefix.
  const lengths = [...new Set([...prefixes].map((prefix) => prefix.length))];
  const isCovered = (tool: string) => exact.has(tool) || lengths.some((length) => prefixes.has(tool.slice(0, length)));
  const tools = new Set(calls.map(({ tool }) => tool));
  return [...tools].filter((tool) => !isCovered(tool));
}
