import { type ErrorCode, Refusal } from '../../contracts/errors.js';

export interface SubmittedReceipt {
  readonly id: string;
  readonly receipt: object;
}

/** Refusals that are about one receipt. Every other one is about the caller, and ends the submission. */
const ofReceipts: readonly ErrorCode[] = [
  'invalid_json',
  'invalid_receipt',
  'server_assigned_field',
  'receipt_too_large',
  'content_rejected',
  'receipt_conflict',
];

const atOnce = 100;

/**
 * Submits receipts in batches, of which each is recorded as a whole or not at all: a receipt that is refused is left out and
 * reported, and the rest is submitted again. A conflict is a receipt that another process has recorded meanwhile.
 * @throws Refusal when the caller may submit nothing now
 */
export async function submitEach<T extends SubmittedReceipt>(
  submit: (receipts: readonly object[]) => Promise<void>,
  receipts: readonly T[],
  refuse: (receipt: T, reason: string) => void,
): Promise<void> {
  for (let from = 0; from < receipts.length; from += atOnce) {
    let left = receipts.slice(from, from + atOnce);
    while (left.length > 0) {
      const refusal = await refusalOf(() => submit(left.map(({ receipt }) => receipt)));
      if (!refusal) break;
      const { index } = refusal.details;
      const wrong = typeof index === 'number' ? left[index] : undefined;
      if (!wrong) throw refusal;
      if (refusal.code !== 'receipt_conflict') refuse(wrong, `${refusal.code}: ${sentenceOf(refusal)}`);
      left = left.filter((one) => one !== wrong);
    }
  }
}

async function refusalOf(submit: () => Promise<void>): Promise<Refusal | null> {
  try {
    await submit();
    return null;
  } catch (error) {
    if (error instanceof Refusal && ofReceipts.includes(error.code)) return error;
    throw error;
  }
}

/** Without the place in a batch, which the sender does not know. */
function sentenceOf({ message }: Refusal): string {
  return message.replace(/^Receipt \d+: /, '').replace(/\.$/, '');
}
