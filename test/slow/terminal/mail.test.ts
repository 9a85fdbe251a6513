import type { SMTPServer, SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { alert } from '../../../contracts/terminal.js';
import { recordFirings } from '../../../projections/terminal/firings.js';
import { createSendMail } from '../../../src/adapters/mail/mail.js';
import { realWorld } from '../../../src/base/world.js';
import { mailing } from '../../../src/workers/mailing.js';
import { administration } from '../../http/keys.js';
import { type Person, signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';
import { idsIn, type Received, startSmtp } from '../../mail/smtp.js';
import { idleWorld } from '../../terminal/idle-world.js';

let service: Service;
let ada: Person;
let server: SMTPServer | undefined;
let ahead = 0;
const email = 'ada.mail@example.org';

beforeAll(async () => {
  service = await startService({}, idleWorld);
  const admin = administration(service);
  const { workspaceId } = await admin.first();
  ada = await signedIn(service, await admin.member(workspaceId, 'none', { email, password: 'password of ada' }));
});
afterEach(async () => {
  await new Promise<void>((resolve) => (server ? server.close(resolve) : resolve()));
  server = undefined;
  ahead = 0;
});
afterAll(() => service.stop());

async function smtp(options: SMTPServerOptions = {}) {
  const started = await startSmtp(options);
  server = started.server;
  return started;
}

const from = { name: 'Counterfoil', address: 'alerts@memory.example.org' };
const sender = (url: string) => createSendMail({ url, from });
const mail = { to: email, subject: 'Alert', text: 'fired', id: 'firing-1', date: new Date() };

/** One firing, and a worker that sends its e-mail. */
async function fired(url: string, ending = new AbortController().signal) {
  const { database } = service.app;
  const { json } = await ada.call('POST', '/v1/terminal/alerts', {
    scope: 'vendor',
    target: 'Acme\u2028<b>& Söhne',
    metric: 'share_pct',
    op: '>',
    value: 50,
  });
  const [person] = await database.read((tx) =>
    tx.query<{ id: string }>("select person_id::text as id from members where email = 'ada.mail@example.org'"),
  );
  const record = { ...alert.parse(json), state: 'fired' as const, last_value: 61.5 };
  const firing = { id: realWorld.id(), personId: person?.id ?? '', alert: record };
  await database.transaction(async (tx) => {
    await tx.query('delete from firings');
    await recordFirings(tx, [firing], new Date(), true);
  });
  const world = { ...realWorld, now: () => new Date(Date.now() + ahead) };
  const baseUrl = 'https://memory.example.org';
  const send = createSendMail({ url, from }, { ending });
  const job = mailing({ database, world, log: service.app.server.log, send, baseUrl, ending });
  return {
    id: firing.id,
    send: (stopping = new AbortController().signal) => job.work(stopping),
    row: async () =>
      (await database.read((tx) => tx.query('select mail, attempts, last_error, lease_owner from firings')))[0],
  };
}

// @covers TERM-MAIL-ONCE TERM-MAIL-TEXT
it('is delivered in plain text with a link, under a Message-ID of its firing', async () => {
  const { received, url } = await smtp();
  const one = await fired(url);
  expect(await one.send()).toBe(true);
  expect(await one.send()).toBe(false);
  expect(await one.row()).toMatchObject({ mail: 'sent', attempts: 1, last_error: null });
  expect(received.map(({ to }) => to)).toEqual([[email]]);
  const [{ text } = { text: '' }] = received;
  expect(idsIn(received)).toEqual([`<${one.id}@memory.example.org>`]);
  expect(text).toMatch(/^From: Counterfoil <alerts@memory\.example\.org>\r$/m);
  expect(text).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m);
  expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(text).toContain('https://memory.example.org/');
});

// @covers TERM-MAIL-ONCE TERM-MAIL-RETRIES
it('is sent again under the same Message-ID when the server dies before it answers', async () => {
  let deaths = 1;
  const received: Received[] = [];
  const { url } = await smtp({
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (part: Buffer) => {
        text += part.toString();
      });
      stream.on('end', () => {
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        deaths -= 1;
        // It has the message, and the client never hears of that.
        if (deaths < 0) done();
        else for (const connection of server?.connections ?? []) connection.close();
      });
    },
  });
  const one = await fired(url);
  await one.send();
  expect(await one.row()).toMatchObject({ mail: 'pending', attempts: 1 });
  expect(await one.send()).toBe(false);
  ahead = 90_000;
  await one.send();
  expect(await one.row()).toMatchObject({ mail: 'sent', attempts: 2 });
  expect(new Set(idsIn(received))).toEqual(new Set([`<${one.id}@memory.example.org>`]));
  expect(received).toHaveLength(2);
});

// @covers TERM-MAIL-RETRIES
it('is given up when its address is refused permanently, and tried again after a temporary refusal', async () => {
  let responseCode = 451;
  const { url } = await smtp({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error('not now'), { responseCode })),
  });
  const one = await fired(url);
  await one.send();
  expect(await one.row()).toMatchObject({ mail: 'pending', attempts: 1, last_error: expect.stringContaining('451') });
  [ahead, responseCode] = [90_000, 550];
  await one.send();
  expect(await one.row()).toMatchObject({ mail: 'failed', attempts: 2, last_error: expect.stringContaining('550') });
});

// @covers TERM-MAIL-RETRIES
it('is given back without an attempt by a process that stops', async () => {
  const untouched = { mail: 'pending', attempts: 0, last_error: null, lease_owner: null };
  const ending = new AbortController();
  // A server that never greets: the process gives up while it waits.
  const { url } = await smtp({ onConnect: () => ending.abort() });
  const one = await fired(url, ending.signal);
  // Nothing is sent of what is claimed while the worker is asked to stop.
  expect(await one.send(AbortSignal.abort())).toBe(false);
  expect([await one.row(), ending.signal.aborted]).toEqual([untouched, false]);
  expect(await one.send()).toBe(true);
  expect([await one.row(), ending.signal.aborted]).toEqual([untouched, true]);
  for (const connection of server?.connections ?? []) connection.close();
});

it('waits for no server longer than its deadline', async () => {
  const { url } = await smtp({ onConnect: () => undefined });
  const begun = Date.now();
  expect(await createSendMail({ url, from }, { phaseMs: 300 })(mail)).toMatchObject({ isFinal: false });
  expect(Date.now() - begun).toBeLessThan(5000);
});

it('is not sent where no server listens', async () => {
  expect(await sender('smtp://127.0.0.1:1')(mail)).toMatchObject({ isFinal: false });
});

it('has no header and no receiver that a text of it could bring in', async () => {
  const { received, url } = await smtp();
  const send = sender(url);
  const subject = 'Alert\r\nBcc: eve@example.org\r\n\r\n<script>';
  expect(await send({ ...mail, subject, text: 'a\r\n.\r\nMAIL FROM:<eve@example.org>\r\n' })).toEqual({ error: null });
  for (const to of [
    'a@b.org, eve@example.org',
    'a@b.org\r\nBcc: eve@example.org',
    '"x" <eve@example.org>',
    'a b@c.org',
  ]) {
    expect(await send({ ...mail, to })).toMatchObject({ isFinal: true });
  }
  expect(received.map(({ to }) => to)).toEqual([[email]]);
  const [head = ''] = (received[0]?.text ?? '').split('\r\n\r\n');
  expect(head).not.toMatch(/^Bcc:/m);
});
