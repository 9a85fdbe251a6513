import type { Logger } from 'pino';
import { createSendMail } from '../adapters/mail/mail.js';
import type { Outside } from '../adapters/outside.js';
import type { MarketView } from '../api/feeds/view.js';
import { createStreams, type Streams } from '../api/terminal/streams.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import type { Config } from '../settings/config.js';
import type { Role } from '../settings/roles.js';
import { forgettingNotices, mailingDeciders } from '../workers/approval-mails.js';
import { checkingAlerts, forgettingFirings } from '../workers/checking-alerts.js';
import type { Lookout } from '../workers/lookout.js';
import { createWorker, type Job, type Worker } from '../workers/loop.js';
import { mailing } from '../workers/mailing.js';

interface Parts {
  readonly world: World;
  readonly log: Logger;
  readonly database: Database;
  readonly background: Database;
  /** See `createLease`. */
  readonly owner: string;
  readonly outside: Outside;
  readonly market: MarketView;
  readonly lookout: Lookout;
}

/** The parts of the terminal that run: streams and checks of alerts. The e-mails about these and about approvals share a mail server. */
export function wireTerminal(
  { smtp, baseUrl }: Config,
  { world, log, database, background, owner, outside, market, lookout }: Parts,
): { readonly streams: Streams; readonly workers: readonly (readonly [Role, Worker])[] } {
  const worker = (job: Job): Worker => createWorker({ world, log }, job);
  const checks = checkingAlerts({ database: background, world, figures: market, owner, mails: smtp !== undefined });
  const streams = createStreams({
    world,
    read: database.read,
    market,
    warn: (error) => log.warn({ err: error }, 'streams of the terminal could not be brought up to date'),
  });
  const workers: [Role, Worker][] = [
    ['http', lookout.worker(checks)],
    ['http', worker(forgettingFirings({ database: background, world }))],
  ];
  if (smtp) {
    const send = createSendMail(smtp, outside);
    const { ending } = outside;
    const outbox = { database: background, world, log, send, baseUrl, ending };
    workers.push(
      ['webhooks', lookout.worker(mailing(outbox))],
      ['webhooks', lookout.worker(mailingDeciders(outbox))],
      ['webhooks', worker(forgettingNotices(outbox))],
    );
  }
  return { streams, workers };
}
