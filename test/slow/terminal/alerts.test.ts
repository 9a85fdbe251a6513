import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimMails, endMail } from '../../../projections/terminal/firings.js';
import { createOpenStreams } from '../../../src/api/terminal/open-streams.js';
import { createStreams } from '../../../src/api/terminal/streams.js';
import { realWorld } from '../../../src/base/world.js';
import type { Database, Transaction } from '../../../src/database/database.js';
import { checkedWith } from '../../../src/domain/alert.js';
import { alertMail, mailRetryAt } from '../../../src/domain/alert-mail.js';
import { checkingAlerts } from '../../../src/workers/checking-alerts.js';
import { administration } from '../../http/keys.js';
import { type Person, signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';
import { idleWorld } from '../../terminal/idle-world.js';

const minute = 60_000;
const begin = Date.parse('2026-11-22T12:00:00Z');

let service: Service;
let ada: Person;
let database: Database;
/** The moment of the figures, and the figure of every alert. */
let now: { t: number; figure: string | null };

beforeAll(async () => {
  service = await startService({}, idleWorld);
  database = service.app.database;
  const admin = administration(service);
  const { workspaceId } = await admin.first();
  // Another person, who signs in first.
  await signedIn(service, await admin.member(workspaceId, 'none'));
  ada = await signedIn(service, await admin.member(workspaceId, 'none'));
});
beforeEach(() => {
  now = { t: begin, figure: null };
});
afterEach(() => database.transaction((tx) => tx.query('delete from terminal_accounts')));
afterAll(() => service.stop());

const figures = {
  get newest() {
    return { t: now.t };
  },
  figures: async (_owner: string, targets: readonly unknown[]) => ({ t: now.t, values: targets.map(() => now.figure) }),
};

/** A process that checks alerts, which may be killed before a transaction ends. */
function checker(parts: { database?: Database; owner?: string } = {}) {
  const job = checkingAlerts({ database, world: realWorld, figures, owner: realWorld.nonce(), mails: true, ...parts });
  return {
    async check(): Promise<void> {
      while (await job.work(new AbortController().signal));
      await job.lease?.drop();
    },
  };
}

const rows = <T extends object>(sql: string) => database.read((tx) => tx.query<T & Record<string, never>>(sql));
const firings = async () => (await rows('select id from firings')).length;
const above = { scope: 'ticker', target: 'CODE.REVIEW', metric: 'price_usd', op: '>', value: 1 } as const;
const alertOf = async () => (await ada.call('GET', '/v1/terminal/alerts')).json[0];

describe('an alert', () => {
  // @covers TERM-ALERT-FIRES TERM-ALERT-NO-DATA
  it.each([
    ['at its first check', ['2'], 1],
    ['when its condition becomes true, once', ['0.5', '2', '3'], 1],
    ['again when its condition was false in between', ['2', '1', '2'], 2],
    ['not at the value itself', ['1'], 0],
    ['not without a figure', [null, null], 0],
    ['when its figure comes and it was not true before', [null, '2'], 1],
    ['not again when its figure was away in between', ['2', null, '2'], 1],
    ['again when it was false before its figure went away', ['2', '1', null, '2'], 2],
  ])('fires %s', (_, seen, count) => {
    let [isTrue, fired] = [false, 0];
    for (const figure of seen) {
      const checked = checkedWith({ op: '>', value: 1, isTrue }, figure === null ? null : Number(figure));
      expect(checked.state === 'no_data').toBe(figure === null);
      isTrue = checked.isTrue;
      fired += checked.fires ? 1 : 0;
    }
    expect(fired).toBe(count);
  });

  // @covers TERM-ALERT-CHECKED TERM-ALERT-CHANGE
  it('has its figure and its times, and begins again with another condition', async () => {
    const { id } = (await ada.call('POST', '/v1/terminal/alerts', above)).json;
    const one = checker();
    now.figure = '2.5';
    await one.check();
    const fired = await alertOf();
    expect(fired).toMatchObject({ state: 'fired', last_value: 2.5, last_checked_at: expect.any(String) });
    expect(fired.last_fired_at).toBe(fired.last_checked_at);
    now = { t: begin + minute, figure: null };
    await one.check();
    expect(await alertOf()).toMatchObject({ state: 'no_data', last_value: null, last_fired_at: fired.last_fired_at });
    const same = await ada.call('POST', '/v1/terminal/alerts', { ...above, id });
    expect(same.json.state).toBe('no_data');
    const changed = await ada.call('POST', '/v1/terminal/alerts', { ...above, id, value: 2 });
    expect(changed.json).toMatchObject({ state: 'waiting', value: 2, last_checked_at: null });
    now.figure = '2.5';
    await one.check();
    expect([(await alertOf()).state, await firings()]).toEqual(['fired', 2]);
  });

  // @covers TERM-ALERT-ONCE
  it('fires once, by however many workers and moments it is checked', async () => {
    for (let alerts = 0; alerts < 3; alerts += 1) await ada.call('POST', '/v1/terminal/alerts', above);
    now.figure = '2';
    await Promise.all(Array.from({ length: 4 }, () => checker().check()));
    now.t += minute;
    await Promise.all(Array.from({ length: 2 }, () => checker().check()));
    expect(await firings()).toBe(3);
  });

  // @covers TERM-ALERT-ONCE
  it('fires once where two processes hold the lease under one name, as after a crash on an embedded store', async () => {
    await ada.call('POST', '/v1/terminal/alerts', above);
    now.figure = '2';
    const owner = realWorld.nonce();
    const both = Array.from({ length: 4 }, () =>
      checkingAlerts({ database, world: realWorld, figures, owner, mails: true }).work(new AbortController().signal),
    );
    await Promise.all(both);
    expect(await firings()).toBe(1);
    await database.transaction((tx) => tx.query("delete from leases where name = 'alerts'"));
  });

  // @covers TERM-ALERT-ONCE
  it('has fired or not, as a whole, after a kill between its check and its record', async () => {
    await ada.call('POST', '/v1/terminal/alerts', above);
    now.figure = '2';
    const killed: Database = {
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          const killing: Transaction = {
            ...tx,
            query: (text, values) =>
              text.includes('into firings') ? Promise.reject(new Error('killed')) : tx.query(text, values),
          };
          return work(killing);
        }),
    };
    await expect(checker({ database: killed }).check()).rejects.toThrow('killed');
    expect([(await alertOf()).state, await firings()]).toEqual(['waiting', 0]);
    await database.transaction((tx) => tx.query("delete from leases where name = 'alerts'"));
    await checker().check();
    expect([(await alertOf()).state, await firings()]).toEqual(['fired', 1]);
  });
});

describe('an e-mail', () => {
  const fired = {
    ...above,
    id: '01919f3d-4b16-7d2f-a0c1-b2d3e4f50677',
    state: 'fired',
    last_value: 1e-6,
    last_checked_at: '2026-11-22T12:00:05.000Z',
    last_fired_at: '2026-11-22T12:00:05.000Z',
    created_at: '2026-11-22T11:00:00.000Z',
  } as const;

  // @covers TERM-MAIL-TEXT
  it('says which alert has fired and where the figures are', () => {
    const { subject, text } = alertMail({ ...fired, value: 1e21 }, fired.last_fired_at, 'https://memory.example.org');
    expect(subject).toBe('Alert: CODE.REVIEW price_usd > 1000000000000000000000');
    expect(text).toContain('price_usd of ticker CODE.REVIEW is above 1000000000000000000000');
    expect(text).toContain('Figure:    0.000001\n');
    expect(text).toContain('https://memory.example.org/');
  });

  // @covers TERM-MAIL-RETRIES
  it('is tried seven times within a day', () => {
    const at = new Date(begin);
    const times = Array.from({ length: 8 }, (_, failed) => mailRetryAt(failed + 1, at, 0));
    expect(times.map((time) => time && (time.getTime() - begin) / minute)).toEqual([
      1,
      5,
      15,
      60,
      240,
      720,
      null,
      null,
    ]);
  });

  // @covers TERM-MAIL-LEASE
  it('is with one worker at a time, and is dropped when its person is gone', async () => {
    await ada.call('POST', '/v1/terminal/alerts', above);
    now.figure = '2';
    await checker().check();
    const [one, other] = [realWorld.nonce(), realWorld.nonce()];
    const claim = (owner: string) =>
      database.transaction((tx) => claimMails(tx, owner, new Date(), { leaseMs: minute, limit: 8 }));
    const [claimed] = await claim(one);
    expect(claimed?.email).toContain('@example.org');
    expect(await claim(other)).toEqual([]);
    const ended = { id: claimed?.id ?? '', mail: 'sent', error: null, retryAt: null } as const;
    await database.transaction((tx) => endMail(tx, other, ended));
    expect(await rows('select mail from firings')).toEqual([{ mail: 'pending' }]);
    await database.transaction((tx) => endMail(tx, one, ended));
    expect(await rows('select mail, lease_owner from firings')).toEqual([{ mail: 'sent', lease_owner: null }]);
  });
});

describe('a stream', () => {
  const opened = () =>
    createStreams({
      world: realWorld,
      read: database.read,
      market: { newest: { asOf: '2026-11-22T12:00:00.000Z' } },
      warn: () => undefined,
    });
  const personOf = async (before = 0) => {
    const found = await rows<{ id: string; person_id: string }>(
      'select id::text, person_id::text from sessions order by created_at desc',
    );
    const row = found[before];
    return { id: String(row?.id), personId: String(row?.person_id), plan: null, expiresAt: new Date(), renewed: false };
  };
  const textOf = (readable: NodeJS.ReadableStream) => {
    let text = '';
    readable.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    return () => text;
  };
  const seen = async (isThere: () => boolean) => {
    for (let tries = 0; tries < 4800 && !isThere(); tries += 1) await realWorld.sleep(25);
    expect(isThere()).toBe(true);
  };

  // @covers TERM-STREAM-EVENTS TERM-STREAM-END TERM-ISOLATION
  it('has the alerts of the last minutes and of now, of one person, and ends with the session', async () => {
    const streams = opened();
    await ada.call('POST', '/v1/terminal/alerts', above);
    now.figure = '2';
    await checker().check();
    const [own, anyone] = [
      textOf(await streams.open(await personOf(), 'a network')),
      textOf(await streams.open(null, 'a network')),
    ];
    const other = textOf(await streams.open(await personOf(1), 'a network'));
    await seen(() => own().split('event: alert').length === 2);
    await ada.call('POST', '/v1/terminal/alerts', { ...above, value: 1.5 });
    await checker().check();
    await seen(() => own().split('event: alert').length === 3);
    expect(own()).toContain('event: terminal\ndata: {"as_of":"2026-11-22T12:00:00.000Z"}\n\n');
    expect(anyone()).toBe('retry: 5000\n\nevent: terminal\ndata: {"as_of":"2026-11-22T12:00:00.000Z"}\n\n');
    expect(other()).not.toContain('event: alert');
    await ada.call('DELETE', '/v1/session');
    await seen(() => streams.count() === 2);
    streams.close();
    expect(streams.count()).toBe(0);
    await expect(streams.open(null, 'a network')).rejects.toMatchObject({ code: 'not_ready' });
  });

  // @covers TERM-STREAM-LIMITS TERM-STREAM-SLOW ERR-too_many_streams
  it('is one of three of a person and of a thousand of the process, and loses a reader who does not read', async () => {
    // Without the service's look at sessions, which would end these after a second: no one has signed in.
    const streams = createOpenStreams(() => undefined);
    const person = () => ({
      id: realWorld.id(),
      personId: realWorld.id(),
      plan: null,
      expiresAt: new Date(),
      renewed: false,
    });
    const refused = (who: Parameters<typeof streams.begin>[0], network: string, more = {}) =>
      expect(() => streams.begin(who, network)).toThrow(expect.objectContaining({ code: 'too_many_streams', ...more }));
    const one = person();
    const readers = [1, 2, 3].map(() => streams.begin(one, 'a network'));
    refused(one, 'another', { status: 429 });
    // Clients that are not signed in have 5 for each address, and leave 200 of all to people.
    for (let n = 0; n < 5; n += 1) streams.begin(null, 'a network');
    refused(null, 'a network');
    for (let n = 0; n < 795; n += 1) streams.begin(null, `network ${Math.floor(n / 5)}`);
    refused(null, 'one more', { details: { retry_after_seconds: 15 } });
    for (let n = 0; n < 197; n += 1) streams.begin(person(), 'a network');
    refused(person(), 'a network');
    readers[0]?.readable.destroy();
    await seen(() => streams.count() === 999);
    const open = createOpenStreams(() => undefined);
    const stream = open.begin(null, 'a network');
    for (let parts = 0; parts < 64; parts += 1) open.write(stream, 'x'.repeat(1024));
    expect(open.count()).toBe(1);
    open.write(stream, 'x');
    expect([open.count(), stream.readable.destroyed]).toEqual([0, true]);
  });
});
