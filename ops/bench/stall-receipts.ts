import type { StallBody } from './stall-bodies.js';

const limit = 8 * 1024 * 1024;
const path = '/v1/receipts';

const post = (name: string, answer: StallBody['answer'], body: () => string): StallBody => ({
  name,
  method: 'POST',
  path,
  answer,
  body,
});

/** A batch of the largest number of receipts, all of which are right and have these members. */
function batchOf(name: string, members: string): StallBody {
  return post(`100 receipts with ${name}`, [201, null], () => {
    const receipts = Array.from({ length: 100 }, (_, at) => receiptOf(`${name} ${at}`, members));
    return `{"receipts":[${receipts.join(',')}]}`;
  });
}

function receiptOf(id: string, members: string): string {
  const times = '"started_at":"2026-01-15T11:59:00Z","ended_at":"2026-01-15T11:59:30Z"';
  return `{"receipt_id":"${id}","agent_handle":"@bench","platform":"sdk","status":"success",${times},${members}}`;
}

const listOf = (count: number, item: string): string => `[${Array<string>(count).fill(item).join(',')}]`;

/** Bodies of task receipts that are expensive to read or to record. */
export const stallReceipts: readonly StallBody[] = [
  post('receipts of 8 MiB of brackets', [413, 'receipt_too_large'], () =>
    receiptOf('a', `"x":${'['.repeat(limit / 2 - 200)}${']'.repeat(limit / 2 - 200)}`),
  ),
  post('a receipt of 4,000,000 numbers', [413, 'receipt_too_large'], () =>
    receiptOf('a', `"x":${listOf(limit / 2 - 200, '0')}`),
  ),
  post(
    'a batch of 2,000,000 receipts',
    [400, 'invalid_receipt'],
    () => `{"receipts":${listOf(Math.floor(limit / 3) - 100, '{}')}}`,
  ),
  post(
    'a batch of 1,000,000 objects in objects',
    [413, 'receipt_too_large'],
    () => `{"receipts":[${'{"a":'.repeat(1_000_000)}0${'}'.repeat(1_000_000)}]}`,
  ),
  batchOf('4,000 numbers', `"x":${listOf(4000, '1.50')}`),
  batchOf('4,000 numbers that no double holds', `"x":${listOf(4000, '1e999')}`),
  batchOf('4,000 numbers in an attestation', `"attestations":[{"type":"a","x":${listOf(4000, '1.5e1')}}]`),
  batchOf('2,000 objects', `"x":${listOf(2000, '{"a":0}')}`),
  batchOf('one long text', `"x":"${'x'.repeat(65_000)}"`),
  batchOf('one long text of escapes', `"x":"${'\\u00e9'.repeat(10_800)}"`),
  batchOf('256 tool calls', `"tool_calls":${listOf(256, '{"tool":"files.read","ok":true,"args":[1,2],"n":{}}')}`),
];
