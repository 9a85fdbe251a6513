import type { StoredAnswer } from '../../contracts/entries/recorded.js';
import type { Row, Transaction } from '../adapters/database/database.js';

/** How long a request may be repeated under its key. */
const storedHours = 24;

interface AnswerRow extends Row {
  request_key: string;
  digest: string;
  status: number;
  body: string;
  reveals: string[];
  answered_at: string;
}

/** The answers to requests of the last 24 hours to this chain, by request key. */
export async function storedAnswers(
  tx: Transaction,
  chain: string,
  requestKeys: readonly string[],
  now: Date,
): Promise<Map<string, StoredAnswer>> {
  if (requestKeys.length === 0) return new Map();
  const rows = await tx.query<AnswerRow>(
    `select request_key, digest, status, body, reveals, answered_at from answers
      where chain = $1 and request_key = any($2::text[]) and answered_at > $3`,
    [chain, requestKeys, oldest(now)],
  );
  return new Map(
    rows.map(({ request_key: requestKey, answered_at: answeredAt, digest, status, body, reveals }) => [
      requestKey,
      { requestKey, digest, status, body, reveals, answeredAt },
    ]),
  );
}

/** Stores answers, and drops those that are too old to be found. */
export async function storeAnswers(tx: Transaction, chain: string, answers: readonly StoredAnswer[]): Promise<void> {
  const [first] = answers;
  if (!first) return;
  const rows = answers.map(({ requestKey, answeredAt, ...rest }) => ({
    ...rest,
    chain,
    request_key: requestKey,
    answered_at: answeredAt,
  }));
  await tx.query('delete from answers where answered_at <= $1', [oldest(new Date(first.answeredAt))]);
  // An answer that is there already was stored by an earlier try of the same append: another one has moved the head or seen it.
  await tx.query(
    'insert into answers select * from json_populate_recordset(null::answers, $1::json) on conflict do nothing',
    [JSON.stringify(rows)],
  );
}

/** Destroys the answers that reveal one of these deposits. */
export async function forgetAnswers(tx: Transaction, chain: string, receiptIds: readonly string[]): Promise<void> {
  await tx.query('delete from answers where chain = $1 and reveals && $2::text[]', [chain, receiptIds]);
}

function oldest(now: Date): string {
  return new Date(now.getTime() - storedHours * 3_600_000).toISOString();
}
