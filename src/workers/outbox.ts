import type { Logger } from 'pino';
import type { Due } from '../../projections/due.js';
import type { Mail, SendMail } from '../adapters/mail/mail.js';
import type { World } from '../base/world.js';
import type { Database, Transaction } from '../database/database.js';
import { mailRetryAt } from '../domain/alert-mail.js';
import type { DueJob } from './lookout.js';

/** Longer than an attempt can take. An e-mail that a killed process held is sent by another one after this. */
const leaseMs = 60_000;
/** E-mails that are sent at a time. */
const together = 8;
const lookMs = 1000;

export interface OutboxParts {
  readonly database: Database;
  readonly world: World;
  readonly log: Pick<Logger, 'warn'>;
  readonly send: SendMail;
  readonly baseUrl: string;
  /** Aborted when the process gives up the e-mails that no server has answered yet; `send` ends then. */
  readonly ending: AbortSignal;
}

/** How an attempt to send an e-mail ended. */
interface Ended {
  readonly id: string;
  readonly mail: 'sent' | 'pending' | 'failed';
  readonly error: string | null;
  /** The time of the next attempt, where it is pending again. */
  readonly retryAt: Date | null;
}

/** E-mails that wait in a table, each under a lease. */
export interface Outbox<C extends Claimed> {
  readonly name: string;
  /** The next e-mail, and what `fill` puts into the table next. */
  readonly due: Due;
  claim(tx: Transaction, owner: string, now: Date, bounds: Bounds): Promise<readonly C[]>;
  release(tx: Transaction, owner: string, ids: readonly string[]): Promise<void>;
  end(tx: Transaction, owner: string, ended: Ended): Promise<void>;
  /** @returns the e-mail as of now, or the reason why there is nothing to send any more */
  write(claimed: C): Promise<Omit<Mail, 'id'> | string>;
  /** Puts e-mails into the table. @returns whether there may be more to put there at once */
  fill?(): Promise<boolean>;
}

interface Claimed {
  readonly id: string;
  readonly attempts: number;
}

interface Bounds {
  readonly leaseMs: number;
  readonly limit: number;
}

/**
 * Sends the e-mails of an outbox, each at least once, under its id as Message-ID. A process that is killed between the answer
 * of the mail server and `end` leaves an e-mail that was sent and is pending: after its lease it is sent a second time, under
 * the same Message-ID, so that mail programs show it once. Nothing else sends it twice, because one process at a time has the lease.
 */
export function sendingMails<C extends Claimed>(parts: OutboxParts, outbox: Outbox<C>): DueJob {
  const { database, world, log } = parts;
  const owner = world.nonce();
  return {
    name: outbox.name,
    due: outbox.due,
    napMs: lookMs,
    async work(stopping) {
      const isMore = (await outbox.fill?.()) ?? false;
      const bounds = { leaseMs, limit: together };
      const claimed = await database.transaction((tx) => outbox.claim(tx, owner, world.now(), bounds));
      // What was claimed while the worker was asked to stop is left to others, who need not wait until the lease runs out.
      if (stopping.aborted) {
        const ids = claimed.map(({ id }) => id);
        if (ids.length > 0) await database.transaction((tx) => outbox.release(tx, owner, ids));
        return false;
      }
      await Promise.all(
        claimed.map(async (one) => {
          const ended = await attempt(parts, outbox, one);
          if (ended === 'given up') return database.transaction((tx) => outbox.release(tx, owner, [one.id]));
          const { id, mail, error } = ended;
          if (error !== null) log.warn({ worker: outbox.name, id, mail, error }, 'an e-mail failed');
          await database.transaction((tx) => outbox.end(tx, owner, ended));
        }),
      );
      return isMore || claimed.length > 0;
    },
  };
}

async function attempt<C extends Claimed>(
  { world, send, ending }: OutboxParts,
  outbox: Outbox<C>,
  claimed: C,
): Promise<Ended | 'given up'> {
  const { id, attempts } = claimed;
  const written = await outbox.write(claimed);
  if (typeof written === 'string') return { id, mail: 'failed', error: written, retryAt: null };
  const mailed = await send({ ...written, id });
  if (mailed.error === null) return { id, mail: 'sent', error: null, retryAt: null };
  // The server did nothing wrong: the next start sends it again, and this counts as no attempt.
  if (ending.aborted && !mailed.isFinal) return 'given up';
  const [chance = 0] = world.random(1);
  const retryAt = mailed.isFinal ? null : mailRetryAt(attempts + 1, world.now(), chance / 255);
  return { id, mail: retryAt === null ? 'failed' : 'pending', error: mailed.error, retryAt };
}
