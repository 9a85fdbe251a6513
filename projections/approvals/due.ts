import { atOnce, type Due } from '../due.js';

/** The next end of an approval with texts. */
export const nextEnd: Due = () =>
  `(select min(expires_at) from approvals
     where (selected is not null or excerpt_receipt_id is not null) and not ended and status in ('pending', 'approved'))`;

const lacks = (notice: string) =>
  `not exists (select from approval_notices n where n.approval_id = a.id and n.notice = '${notice}')`;

/** The next notice about an approval, or the next e-mail with one. */
export const nextNotice: Due = (bind, now) => {
  const waiting = `from approvals a where a.status = 'pending' and a.expires_at > ${bind(now.toISOString())}::timestamptz`;
  return `least(
    (select ${atOnce} ${waiting} and ${lacks('waiting')} limit 1),
    (select min(a.expires_at) - interval '1 day' ${waiting} and ${lacks('ending')}),
    (select min(run_after) from approval_mails where mail = 'pending'))`;
};
