import { alert } from '../../contracts/terminal.js';
import { nextMail } from '../../projections/terminal/due.js';
import { claimMails, endMail, releaseMails } from '../../projections/terminal/firings.js';
import { alertMail } from '../domain/alert-mail.js';
import type { DueJob } from './lookout.js';
import { type OutboxParts, sendingMails } from './outbox.js';

/** Sends an e-mail for each alert that has fired, at least once, under the Message-ID of the firing. */
export function mailing(parts: OutboxParts): DueJob {
  return sendingMails(parts, {
    name: 'mailing',
    due: nextMail,
    claim: claimMails,
    release: releaseMails,
    end: endMail,
    async write({ email, record, fired_at: firedAt }) {
      if (email === null) return 'the person is gone';
      const fired = alert.parse(JSON.parse(record));
      return { ...alertMail(fired, firedAt, parts.baseUrl), to: email, date: new Date(firedAt) };
    },
  });
}
