import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSendMail } from '../../../src/adapters/mail/mail.js';
import { realWorld } from '../../../src/base/world.js';
import { mailingDeciders } from '../../../src/workers/approval-mails.js';
import { owner, usePeople } from '../../http/people.js';
import { type Reply, startService } from '../../http/service.js';
import { idsIn, type Received, shownIn, startSmtp } from '../../mail/smtp.js';
import { stores } from '../../support/stores.js';
import { idleWorld } from '../../terminal/idle-world.js';

const hour = 3_600_000;
const day = 24 * hour;
const baseUrl = 'https://memory.example.org';
const from = { name: 'Counterfoil', address: 'counterfoil@memory.example.org' };
const secret = 'a source that must not be in an e-mail';

type Call = (method: string, path: string, body?: unknown) => Promise<Reply>;

/** @returns the id of the approval that this request waits for */
async function held(call: Call, ids = [realWorld.id()]): Promise<string> {
  return (await call('POST', '/v1/memories/bulk-delete', { ids })).json.error.details.approval_id;
}

describe.each(stores)('e-mails about approvals on %s', () => {
  const people = usePeople({}, idleWorld);
  let smtp: Awaited<ReturnType<typeof startSmtp>> | undefined;
  let received: readonly Received[] = [];
  let ahead = 0;
  let warned: unknown[] = [];

  async function begin(options?: SMTPServerOptions): Promise<void> {
    await smtp?.stop();
    smtp = await startSmtp(options);
    received = smtp.received;
  }
  beforeEach(async () => {
    await begin();
    ahead = 0;
    warned = [];
    await people.service().app.database.transaction(async (tx) => {
      await tx.query('delete from approval_mails');
      await tx.query('delete from approval_notices');
      await tx.query(`update approvals set status = 'rejected' where status = 'pending'`);
    });
  });
  afterEach(async () => {
    await smtp?.stop();
    smtp = undefined;
  });

  /** A process that sends these e-mails, and works until there is nothing to send. */
  function sender(): () => Promise<void> {
    const { database } = people.service().app;
    const world = { ...realWorld, now: () => new Date(Date.now() + ahead) };
    const ending = new AbortController().signal;
    const send = createSendMail({ url: smtp?.url ?? '', from }, { ending });
    const job = mailingDeciders({
      database,
      world,
      log: { warn: (...said: unknown[]) => warned.push(said) },
      send,
      baseUrl,
      ending,
    });
    return async () => {
      let isMore = true;
      while (isMore) isMore = await job.work(new AbortController().signal);
    };
  }
  const rows = (sql: string) => people.service().app.database.read((tx) => tx.query(sql));
  /** The roles of those who have got one, of a person with a role of this test. */
  const receivers = () =>
    received
      .map(({ to }) =>
        to
          .join()
          .replace(/(-\d+)?@.*/, '')
          .toLowerCase(),
      )
      .sort();
  const call = (role: string): Call => people.as(role).call;

  // @covers APPROVAL-MAIL APPROVAL-MAIL-TEXT
  it('go to owners and admins, once, with a link and without content', async () => {
    await call('owner')('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [{ source: secret }] });
    const body = { content: 'a content that must not be in an e-mail', source: secret };
    const { json } = await people.service().call('POST', '/v1/memories', body);
    const id = json.error.details.approval_id;
    const [one, other] = [sender(), sender()];
    await Promise.all([one(), other()]);
    await one();
    expect(receivers()).toEqual(['admin', 'owner']);
    expect(new Set(idsIn(received)).size).toBe(2);
    for (const { subject, body: text } of received.map(shownIn)) {
      expect(subject).toBe('Approval needed in "My workspace"');
      expect(text).toContain(`Decide:   ${baseUrl}/approvals/${id}\r\n`);
      expect(text).toContain('the API key "bootstrap"');
      expect(text).not.toContain('must not be');
    }
    await call('owner')('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [] });
  });

  // @covers APPROVAL-MAIL
  it('are sent again a day before it expires, and not after that', async () => {
    await held(people.service().call);
    const send = sender();
    await send();
    ahead = 6 * day - hour;
    await send();
    expect([received.length, warned]).toEqual([2, []]);
    ahead = 6 * day + hour;
    await send();
    await sender()();
    expect(receivers()).toEqual(['admin', 'admin', 'owner', 'owner']);
    expect(received.filter((one) => shownIn(one).subject.endsWith('expires soon'))).toHaveLength(2);
    ahead = 8 * day;
    await send();
    expect(received).toHaveLength(4);
  });

  it('are sent once where it is first seen within its last day, and not at all where it was expired', async () => {
    await held(people.service().call);
    ahead = 6 * day + hour;
    await sender()();
    await sender()();
    expect(received.map((one) => shownIn(one).subject)).toEqual(Array(2).fill('Approval needed in "My workspace"'));
    await held(people.service().call);
    ahead = 8 * day;
    await sender()();
    expect(received).toHaveLength(2);
  });

  it('leave out the requester, but for the only owner, who may decide about own requests', async () => {
    await held(call('admin'));
    await sender()();
    expect(receivers()).toEqual(['owner']);
    await held(call('owner'));
    await sender()();
    expect(receivers()).toEqual(['admin', 'owner', 'owner']);
  });

  it('are not sent about what was decided, and not to people who may not decide any more', async () => {
    const decided = await held(people.service().call);
    await call('owner')('POST', `/v1/approvals/${decided}/reject`);
    await sender()();
    expect(received).toEqual([]);
    // The mail server is away, and meanwhile the admin becomes a member and the approval is decided.
    await begin({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('later'), { responseCode: 451 })),
    });
    const id = await held(people.service().call);
    await sender()();
    const admin = (await call('admin')('GET', '/v1/session')).json.user;
    await call('owner')('PATCH', `/v1/members/${admin.id}`, { role: 'member' });
    await begin();
    ahead = 90_000;
    await sender()();
    expect(receivers()).toEqual(['owner']);
    expect(await rows('select mail from approval_mails order by mail')).toEqual([{ mail: 'failed' }, { mail: 'sent' }]);
    await call('owner')('PATCH', `/v1/members/${admin.id}`, { role: 'admin' });
    await call('owner')('POST', `/v1/approvals/${id}/reject`);
    ahead = 6 * day + hour;
    await sender()();
    expect(received).toHaveLength(1);
  });

  it('are sent again under the same Message-ID by the next process, where one was killed after the server had it', async () => {
    await held(people.service().call);
    await sender()();
    // This is what the killed process leaves: the lease, and nothing about the answer of the server.
    await people
      .service()
      .app.database.transaction((tx) =>
        tx.query(
          `update approval_mails set mail = 'pending', attempts = 0, lease_owner = $1, lease_until = now() + interval '1 minute'`,
          [realWorld.nonce()],
        ),
      );
    await sender()();
    expect(received).toHaveLength(2);
    await people
      .service()
      .app.database.transaction((tx) =>
        tx.query(`update approval_mails set lease_until = now() - interval '1 second'`),
      );
    await sender()();
    await sender()();
    expect(received).toHaveLength(4);
    expect(new Set(idsIn(received)).size).toBe(2);
  });
});

it('a service with SMTP_URL sends them by itself', async () => {
  const { url, received, stop } = await startSmtp();
  const service = await startService({ SMTP_URL: url, OWNER_EMAIL: owner.email, BASE_URL: baseUrl });
  try {
    const id = await held(service.call);
    await expect.poll(() => received.length).toBe(1);
    expect(received.map((one) => shownIn(one).body).join()).toContain(`${baseUrl}/approvals/${id}`);
  } finally {
    await service.stop();
    await stop();
  }
});
