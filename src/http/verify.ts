import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Refusal } from '../../contracts/errors.js';
import { proofBundle, proofReport, receiptKnown, receiptQuestion } from '../../contracts/receipt.js';
import type { Described } from '../api/described.js';
import { clientOf } from '../api/rate-limits.js';
import { readJsonObject } from '../domain/json-text.js';
import { type LogFiles, trustedKey } from '../tlog/files.js';
import { bundleLimits } from '../verifier/bundle.js';
import type { Checked, Checking } from '../verifier/checked.js';

export const verifyPath = '/v1/receipts/verify';

/** What it says of itself; see routes.ts. */
export const verifyDescribed: Described = {
  method: 'POST',
  path: verifyPath,
  summary: 'Check a proof bundle, or ask whether a receipt with a given hash exists',
  access: 'anybody',
  query: {},
  body: z.union([receiptQuestion, proofBundle]),
  answers: { 200: z.union([receiptKnown, proofReport]) },
  refusals: ['invalid_json', 'invalid_bundle'],
};

/** What the service says of a receipt to whoever has its hash. */
export interface KnownReceipt {
  readonly recorded_at: string;
  readonly anchor_state: string;
}

/** Checks a bundle for a client, beside the main thread. @throws Refusal rate_limited, not_ready */
export type CheckBundle = (client: string, checking: Checking) => Promise<Checked>;

/**
 * Checks a bundle with the keys of this service's own log, or tells whether a receipt of some hash is in the ledger. It is
 * for those who trust the service and want it convenient; the others run the same check themselves.
 */
export function addVerifyRoute(
  server: FastifyInstance,
  files: LogFiles,
  check: CheckBundle,
  receiptByHash: (hash: string) => Promise<KnownReceipt | undefined>,
): void {
  server.post(verifyPath, { bodyLimit: bundleLimits.bytes }, async (request, reply) => {
    const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    const json = reply.type('application/json; charset=utf-8');
    const hash = askedHash(bytes);
    if (hash !== undefined) {
      const known = await receiptByHash(hash);
      return json.send(JSON.stringify({ receipt_hash: hash, known: known !== undefined, ...known }));
    }
    const keys = (await files.keys()).map(trustedKey);
    const checked = await check(clientOf(request.ip), { bytes, keys });
    if ('report' in checked) return json.send(checked.report);
    throw new Refusal('invalid_bundle', `This is no proof bundle: ${checked.unreadable}.`);
  });
}

/** A body with only a receipt_hash in it asks for that; anything else is taken for a bundle. */
function askedHash(bytes: Uint8Array): string | undefined {
  // The question has 88 bytes; a bundle is never so short.
  if (bytes.length > 200) return undefined;
  const { value } = readJsonObject(Buffer.from(bytes).toString('utf8'));
  if (!Object.hasOwn(value, 'receipt_hash')) return undefined;
  const { receipt_hash: hash, ...others } = value;
  if (typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) && Object.keys(others).length === 0) return hash;
  throw new Refusal('invalid_bundle', 'receipt_hash takes 64 lowercase hex digits, and nothing goes with it.');
}
