import type { StoredAnswer } from '../../contracts/entries/recorded.js';
import type { Row, Transaction } from '../database/database.js';

/** How long a request may be repeated under its key. */
const storedHours = 24;
/** Answers that one append drops at most: more than it stores, so that no backlog grows. */
const dropped = 200;

interface AnswerRow extends Row {
  request_key: string;
  digest: string;
  status: number;
  body: string;
  reveals: string[];
  body_without: string | null;
  answered_at: string;
  receipt_id: string | null;
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
    `select request_key, digest, status, body, reveals, body_without, answered_at, receipt_id from answers
      where chain = $1 and request_key = any($2::text[]) and answered_at > $3`,
    [chain, requestKeys, oldest(now)],
  );
  return new Map(
    rows.map((row) => {
      const {
        request_key: requestKey,
        answered_at: answeredAt,
        body_without: bodyWithout,
        receipt_id: receiptId,
      } = row;
      const { digest, status, body, reveals } = row;
      return [requestKey, { requestKey, digest, status, body, reveals, bodyWithout, answeredAt, receiptId }];
    }),
  );
}

/** The answer to a request to a chain. */
interface ChainAnswer extends StoredAnswer {
  readonly chain: string;
}

/** Stores answers, and drops those that are too old to be found. */
export async function storeAnswers(tx: Transaction, answers: readonly ChainAnswer[]): Promise<void> {
  const [first] = answers;
  if (!first) return;
  const rows = answers.map(({ requestKey, bodyWithout, answeredAt, receiptId, ...rest }) => ({
    ...rest,
    request_key: requestKey,
    body_without: bodyWithout,
    answered_at: answeredAt,
    receipt_id: receiptId,
  }));
  const tooOld = oldest(new Date(first.answeredAt));
  // Appends of other chains drop old answers too, and must not wait for this one.
  await tx.query(
    `delete from answers where (chain, request_key) in
       (select chain, request_key from answers where answered_at <= $1 order by answered_at limit $2 for update skip locked)`,
    [tooOld, answers.length + dropped],
  );
  // A text that was deleted after it was found must not stay in an answer: nothing would remove it from there.
  // An answer that is there already and not too old was stored by an earlier try of the same append: another one has moved the
  // head or seen it.
  await tx.query(
    `insert into answers as a select * from json_populate_recordset(null::answers, $1::json) given
      where not exists (select 1 from unnest(given.reveals) one (receipt_id)
                         where not exists (select 1 from vault v where v.receipt_id = one.receipt_id))
     on conflict (chain, request_key) do update set digest = excluded.digest, status = excluded.status, body = excluded.body,
       reveals = excluded.reveals, body_without = excluded.body_without, answered_at = excluded.answered_at, receipt_id = excluded.receipt_id
     where a.answered_at <= $2`,
    [JSON.stringify(rows), tooOld],
  );
}

/** Takes the texts of these receipts out of the answers that show them, and destroys the answers of which nothing is left. */
export async function forgetAnswers(tx: Transaction, chain: string, receiptIds: readonly string[]): Promise<void> {
  const showing = 'chain = $1 and reveals && $2::text[]';
  await tx.query(`delete from answers where ${showing} and body_without is null`, [chain, receiptIds]);
  await tx.query(`update answers set body = body_without, body_without = null, reveals = '{}' where ${showing}`, [
    chain,
    receiptIds,
  ]);
}

function oldest(now: Date): string {
  return new Date(now.getTime() - storedHours * 3_600_000).toISOString();
}
