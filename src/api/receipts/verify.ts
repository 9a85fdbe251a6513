import { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { proofBundle, proofReport, receiptKnown, receiptQuestion } from '../../../contracts/receipt.js';
import { receiptByHash } from '../../../projections/receipts/queries.js';
import { RawJson } from '../../base/json-text.js';
import { readJsonObject } from '../../domain/read-json.js';
import { trustedKey } from '../../tlog/files.js';
import { bundleLimits } from '../../verifier/bundle.js';
import { bytes, operation } from '../operation.js';
import { clientOf } from '../rate-limits.js';
import { samples } from '../samples.js';

const claim = (name: string, state: string, text: string) => ({ name, state, text, details: {} });

/**
 * Checks a bundle with the keys of this service's own log, or says whether a receipt with some hash is in the ledger. It is
 * for people who trust the service and want it convenient; other people run the same check themselves.
 */
export const verifyOperation = operation({
  method: 'POST',
  path: '/v1/receipts/verify',
  summary: 'Check a proof bundle, or ask whether a receipt with a given hash exists',
  access: 'anybody',
  body: bytes(z.union([receiptQuestion, proofBundle])),
  bodyLimit: bundleLimits.bytes,
  serving: { boundsBodies: true },
  answers: { 200: z.union([receiptKnown, proofReport]) },
  refusals: ['invalid_json', 'invalid_bundle'],
  documentation: {
    id: 'verifyReceipt',
    description:
      'For callers who trust this service. It checks a bundle with the keys of its own log, or says whether it knows the receipt with ' +
      'a hash. It trusts no block of Ethereum, so the claim ethereum is never verified here. A bundle has at most 2.5 MiB.',
    request: { receipt_hash: samples.hash },
    answers: {
      200: {
        description: 'Whether the hash is known, or the claims of the bundle with the results of their checks.',
        body: {
          receipt: {
            receipt_id: samples.receipt,
            kind: 'memory.write',
            workspace_id: samples.workspace,
            seq: 42,
            recorded_at: samples.at,
            hash: samples.hash,
          },
          claims: [
            claim('entry', 'verified', 'The entry is whole and has the receipt hash that is shown.'),
            claim('content', 'absent', 'The bundle shows no content.'),
          ],
        },
      },
    },
  },
  async handle({ client, body }, { reading: { read }, receipts: { logFiles, checkBundle } }) {
    const hash = askedHash(body);
    if (hash !== undefined) {
      const known = await read((tx) => receiptByHash(tx, hash));
      return { status: 200, body: { receipt_hash: hash, known: known !== undefined, ...known } };
    }
    const keys = (await logFiles.keys()).map(trustedKey);
    const checked = await checkBundle(clientOf(client.address), { bytes: body, keys });
    if ('report' in checked) return { status: 200, body: new RawJson(checked.report) };
    throw new Refusal('invalid_bundle', `This is no proof bundle: ${checked.unreadable}.`);
  },
});

/** A body with only a receipt_hash in it asks for that; anything else is read as a bundle. */
function askedHash(body: Uint8Array): string | undefined {
  // The question has 88 bytes; a bundle is never so short.
  if (body.length > 200) return undefined;
  const { value } = readJsonObject(Buffer.from(body).toString('utf8'));
  if (!Object.hasOwn(value, 'receipt_hash')) return undefined;
  const { receipt_hash: hash, ...others } = value;
  if (typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) && Object.keys(others).length === 0) return hash;
  throw new Refusal('invalid_bundle', 'receipt_hash takes 64 lowercase hex digits, and nothing goes with it.');
}
