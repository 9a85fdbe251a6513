import { z } from 'zod';
import type { BoundedAnswer } from '../../adapters/bounded-fetch.js';
import { type Remote, readAnswer } from '../remote.js';
import type { ReceiptLine, RefusedLine } from './receipt-line.js';

/** The lines of a batch by their outcome. */
interface Sent {
  readonly recorded: number;
  readonly duplicates: number;
  readonly refused: readonly RefusedLine[];
}

const accepted = z.object({ data: z.array(z.object({ duplicate: z.boolean() })) });

const refusal = z.union([
  z
    .object({
      error: z.object({
        code: z.string(),
        message: z.string(),
        details: z.object({ index: z.int().min(0).optional(), issues: z.unknown().optional() }).optional(),
      }),
    })
    .transform(({ error }) => error),
  z
    .object({ error: z.string(), message: z.string() })
    .transform(({ error, message }) => ({ code: error, message, details: undefined })),
]);
type Refusal = z.output<typeof refusal>;

/** Refusals that are about a receipt. Every other one would be given to every other receipt too. */
const ofReceipts = new Set([
  'invalid_json',
  'invalid_receipt',
  'server_assigned_field',
  'receipt_too_large',
  'receipt_conflict',
  'content_rejected',
  'body_too_large',
  'invalid_request',
]);

/**
 * Sends a batch, which the service records as a whole or not at all. A receipt that is refused is left out and its batch is
 * sent again; where the refusal does not name one, each half is sent alone.
 * @throws Unavailable, and Error when the service would refuse every receipt
 */
export async function sendBatch(remote: Remote, batch: readonly ReceiptLine[]): Promise<Sent> {
  const refused: RefusedLine[] = [];
  let left = batch;
  while (left.length > 0) {
    const answer = await remote.ask('/v1/receipts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"receipts":[${left.map(({ text }) => text).join(',')}]}`,
      maxBytes: 4 * 1024 * 1024,
    });
    if (answer.status === 200 || answer.status === 201) return { ...countsOf(remote, answer, left.length), refused };
    const given = readAnswer(remote, answer, refusal);
    if (!ofReceipts.has(given.code)) {
      throw new Error(`${remote.url} refuses every receipt: ${given.code}: ${given.message}`);
    }
    const index = left.length === 1 ? 0 : given.details?.index;
    const wrong = index === undefined ? undefined : left[index];
    if (!wrong) return both(refused, await sendHalves(remote, left));
    refused.push(refusedLine(wrong, given));
    left = left.filter((line) => line !== wrong);
  }
  return { recorded: 0, duplicates: 0, refused };
}

async function sendHalves(remote: Remote, lines: readonly ReceiptLine[]): Promise<Sent> {
  const middle = Math.ceil(lines.length / 2);
  const first = await sendBatch(remote, lines.slice(0, middle));
  const second = await sendBatch(remote, lines.slice(middle));
  return {
    recorded: first.recorded + second.recorded,
    duplicates: first.duplicates + second.duplicates,
    refused: [...first.refused, ...second.refused],
  };
}

function both(refused: readonly RefusedLine[], sent: Sent): Sent {
  return { ...sent, refused: [...refused, ...sent.refused] };
}

function countsOf(remote: Remote, answer: BoundedAnswer, lines: number) {
  const { data } = readAnswer(remote, answer, accepted);
  if (data.length !== lines) throw new Error(`${remote.url} answered ${data.length} receipts, and ${lines} were sent.`);
  const duplicates = data.filter(({ duplicate }) => duplicate).length;
  return { recorded: data.length - duplicates, duplicates };
}

function refusedLine({ number, text }: ReceiptLine, { code, message, details }: Refusal): RefusedLine {
  const { issues } = details ?? {};
  return { number, text, code, message, ...(issues === undefined ? {} : { issues }) };
}
