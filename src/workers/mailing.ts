import type { Logger } from 'pino';
import { alert } from '../../contracts/terminal.js';
import {
  type ClaimedMail,
  claimMails,
  endMail,
  type MailEnded,
  releaseMails,
} from '../../projections/terminal/firings.js';
import type { SendMail } from '../adapters/mail/mail.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { alertMail, mailRetryAt } from '../domain/alert-mail.js';
import type { Job } from './loop.js';

/** Longer than an attempt can take. An e-mail that a killed process held is sent by another one after this. */
const leaseMs = 60_000;
/** E-mails that are sent at a time. */
const together = 8;
const lookMs = 1000;

interface MailParts {
  readonly database: Database;
  readonly world: World;
  readonly log: Pick<Logger, 'warn'>;
  readonly send: SendMail;
  readonly baseUrl: string;
  /** Aborted when the process gives up the e-mails that no server has answered yet; `send` ends then. */
  readonly ending: AbortSignal;
}

/** Sends an e-mail for each alert that has fired, at least once, under the Message-ID of the firing. */
export function mailing(parts: MailParts): Job {
  const { database, world, log } = parts;
  const owner = world.nonce();
  return {
    name: 'mailing',
    napMs: lookMs,
    async work(stopping) {
      const bounds = { leaseMs, limit: together };
      const claimed = await database.transaction((tx) => claimMails(tx, owner, world.now(), bounds));
      // What was claimed while the worker was asked to stop is left to others, who need not wait until the lease runs out.
      if (stopping.aborted) {
        const ids = claimed.map(({ id }) => id);
        if (ids.length > 0) await database.transaction((tx) => releaseMails(tx, owner, ids));
        return false;
      }
      await Promise.all(
        claimed.map(async (one) => {
          const ended = await attempt(parts, one);
          if (ended === 'given up') return database.transaction((tx) => releaseMails(tx, owner, [one.id]));
          if (ended.error !== null)
            log.warn({ firing: one.id, mail: ended.mail, error: ended.error }, 'an e-mail failed');
          await database.transaction((tx) => endMail(tx, owner, ended));
        }),
      );
      return claimed.length > 0;
    },
  };
}

async function attempt(
  { world, send, baseUrl, ending }: MailParts,
  claimed: ClaimedMail,
): Promise<MailEnded | 'given up'> {
  const { id, attempts, email } = claimed;
  if (email === null) return { id, mail: 'failed', error: 'the person is gone', retryAt: null };
  const fired = alert.parse(JSON.parse(claimed.record));
  const mail = { ...alertMail(fired, claimed.fired_at, baseUrl), to: email, id, date: new Date(claimed.fired_at) };
  const mailed = await send(mail);
  if (mailed.error === null) return { id, mail: 'sent', error: null, retryAt: null };
  // The server did nothing wrong: the next start sends it again, and this counts as no attempt.
  if (ending.aborted && !mailed.isFinal) return 'given up';
  const [chance = 0] = world.random(1);
  const retryAt = mailed.isFinal ? null : mailRetryAt(attempts + 1, world.now(), chance / 255);
  return { id, mail: retryAt === null ? 'failed' : 'pending', error: mailed.error, retryAt };
}
