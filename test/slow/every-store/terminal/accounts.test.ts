import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administration } from '../../../http/keys.js';
import { type Person, signedIn } from '../../../http/person.js';
import { type Service, startService } from '../../../http/service.js';

const agent = `agn_${'a2'.repeat(16)}`;
const condition = { scope: 'ticker', target: 'CODE.REVIEW', metric: 'price_usd', op: '>', value: 0.25 };
const refusal = ({ status, json }: Awaited<ReturnType<Person['call']>>) => [status, json.error?.code];

let service: Service;
let ada: Person;
let bob: Person;
let workspaceId: string;
let admin: ReturnType<typeof administration>;

const joining = async (role: 'owner' | 'none') => signedIn(service, await admin.member(workspaceId, role));

beforeAll(async () => {
  service = await startService({ TERMINAL_GATING: 'on' });
  admin = administration(service);
  ({ workspaceId } = await admin.first());
  // A person without a role in the workspace has an account of the terminal too.
  [ada, bob] = [await joining('owner'), await joining('none')];
});
afterAll(() => service.stop());

describe('the watchlist', () => {
  // @covers TERM-WATCH-IDEMPOTENT TERM-WATCH-DELETE TERM-WATCH-LIST
  it('takes an item once, and gives it back until it is deleted', async () => {
    const item = { kind: 'agents', ref_id: agent };
    const first = await ada.call('POST', '/v1/terminal/watchlist', item);
    expect([first.status, first.json]).toEqual([201, { ...item, created: true }]);
    const second = await ada.call('POST', '/v1/terminal/watchlist', item);
    expect([second.status, second.json]).toEqual([200, { ...item, created: false }]);
    await ada.call('POST', '/v1/terminal/watchlist', { kind: 'agents', ref_id: '@bot~0123456789abcdef' });
    const { json } = await ada.call('GET', '/v1/terminal/watchlist');
    expect(json.items.agents.map(({ ref_id }: { ref_id: string }) => ref_id)).toEqual([agent, '@bot~0123456789abcdef']);
    expect(json.items).toMatchObject({ tickers: [], vendors: [] });
    const query = new URLSearchParams(item).toString();
    for (const deleted of [true, false]) {
      const reply = await ada.call('DELETE', `/v1/terminal/watchlist?${query}`);
      expect([reply.status, reply.json]).toEqual([200, { ...item, deleted }]);
    }
  });

  // @covers TERM-WATCH-REFS TERM-FAULTS
  it.each([
    ['tickers', 'code.review'],
    ['tickers', 'CODE..REVIEW'],
    ['tickers', 'A'.repeat(41)],
    ['tickers', ''],
    ['agents', 'agn_short'],
    ['agents', '@bot'],
    ['agents', '@bot~0123456789ABCDEF'],
    ['vendors', '  '],
    ['vendors', 'v'.repeat(65)],
    ['vendors', 'two\nlines'],
    ['people', 'CODE.REVIEW'],
    ['tickers', 7],
  ])('refuses %s %s', async (kind, ref_id) => {
    expect(refusal(await ada.call('POST', '/v1/terminal/watchlist', { kind, ref_id }))).toEqual([
      400,
      'invalid_request',
    ]);
  });

  it('knows a vendor however its name is written', async () => {
    const [written, kept] = ['  Ve\u0308ndor ', 'V\u00ebndor'];
    const { json } = await ada.call('POST', '/v1/terminal/watchlist', { kind: 'vendors', ref_id: written });
    expect(json).toEqual({ kind: 'vendors', ref_id: kept, created: true });
    const query = new URLSearchParams({ kind: 'vendors', ref_id: written }).toString();
    expect((await ada.call('DELETE', `/v1/terminal/watchlist?${query}`)).json).toMatchObject({ deleted: true });
  });

  // @covers TERM-WATCH-LIMIT TERM-GATING-LIMITS ERR-watchlist_full
  it('is never fuller than it may be, anyone who asks at the same time', async () => {
    const add = (person: Person, from: number, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, at) =>
          person.call('POST', '/v1/terminal/watchlist', { kind: 'tickers', ref_id: `T${from + at}` }),
        ),
      );
    const added = await add(ada, 0, 208);
    expect(added.filter(({ status }) => status === 201)).toHaveLength(200);
    expect(added.filter(({ status }) => status === 409).map(refusal)).toEqual(
      Array.from({ length: 8 }, () => [409, 'watchlist_full']),
    );
    const kept = (await ada.call('GET', '/v1/terminal/watchlist')).json.items.tickers;
    expect(kept).toHaveLength(200);
    const again = await ada.call('POST', '/v1/terminal/watchlist', { kind: 'tickers', ref_id: kept[0].ref_id });
    expect(again.status).toBe(200);
    await admin.provision(workspaceId, 'free');
    const free = await add(bob, 0, 12);
    await admin.provision(workspaceId, 'enterprise');
    expect(free.filter(({ status }) => status === 201)).toHaveLength(10);
  });
});

describe('alerts', () => {
  // @covers TERM-ALERT-RECORD TERM-ALERT-CHANGE TERM-ALERT-DELETE TERM-ALERT-FOREIGN TERM-ISOLATION ERR-alert_not_found
  it('belong to one person, who creates, changes and deletes them', async () => {
    const created = await ada.call('POST', '/v1/terminal/alerts', condition);
    expect([created.status, created.json]).toEqual([
      201,
      {
        id: expect.any(String),
        ...condition,
        state: 'waiting',
        last_value: null,
        last_checked_at: null,
        last_fired_at: null,
        created_at: expect.any(String),
      },
    ]);
    const { id } = created.json;
    const other = { ...condition, id, op: '<', value: -1e9 };
    const changed = await ada.call('POST', '/v1/terminal/alerts', other);
    expect([changed.status, changed.json]).toEqual([200, { ...created.json, ...other }]);
    expect((await ada.call('GET', '/v1/terminal/alerts')).json).toEqual([changed.json]);
    expect((await bob.call('GET', '/v1/terminal/alerts')).json).toEqual([]);
    for (const unknown of [id, 'x', '018f0000-0000-7000-8000-00000000abcd']) {
      expect(refusal(await bob.call('POST', '/v1/terminal/alerts', { ...condition, id: unknown }))).toEqual([
        404,
        'alert_not_found',
      ]);
    }
    const away = (person: Person, which: string) => person.call('DELETE', `/v1/terminal/alerts?id=${which}`);
    expect((await away(bob, id)).json).toEqual({ id, deleted: false });
    expect((await away(ada, id)).json).toEqual({ id, deleted: true });
    expect((await away(ada, id)).json).toEqual({ id, deleted: false });
    expect((await away(ada, 'x')).json).toEqual({ id: 'x', deleted: false });
    expect(refusal(await ada.call('DELETE', '/v1/terminal/alerts'))).toEqual([400, 'invalid_request']);
  });

  // @covers TERM-ALERT-FIELDS
  it.each([
    { ...condition, scope: 'sector' },
    { ...condition, target: 'code-review' },
    { ...condition, metric: 'trust' },
    { ...condition, metric: 'hhi' },
    { ...condition, op: '>=' },
    { ...condition, value: '1' },
    { ...condition, value: null },
    { ...condition, scope: 'index', metric: 'value', target: 'CFX.OTHER' },
    { ...condition, scope: 'agent', metric: 'trust', target: '@bot' },
    { ...condition, scope: 'vendor', metric: 'share_pct', target: ' ' },
    { ...condition, note: 'x' },
    { scope: 'ticker', target: 'CODE.REVIEW', metric: 'price_usd', op: '>' },
  ])('refuse %o', async (body) => {
    expect(refusal(await ada.call('POST', '/v1/terminal/alerts', body))).toEqual([400, 'invalid_request']);
  });

  it('have values that are finite numbers', async () => {
    const text = JSON.stringify(condition).replace('0.25', '1e999');
    const { status, json } = await service.call('POST', '/v1/terminal/alerts', text, {
      authorization: '',
      cookie: ada.cookie(),
    });
    expect([status, json.error?.code]).toEqual([400, 'invalid_request']);
  });

  // @covers TERM-ALERT-LIMIT TERM-GATING-LIMITS ERR-alert_limit
  it('are never more than a person may have, anyone who asks at the same time', async () => {
    const add = (person: Person, count: number) =>
      Promise.all(Array.from({ length: count }, () => person.call('POST', '/v1/terminal/alerts', condition)));
    const statuses = (await add(ada, 103)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(100);
    expect(refusal(await ada.call('POST', '/v1/terminal/alerts', condition))).toEqual([409, 'alert_limit']);
    await admin.provision(workspaceId, 'free');
    const free = (await add(bob, 7)).map(({ status }) => status);
    await admin.provision(workspaceId, 'enterprise');
    expect(free.filter((status) => status === 201)).toHaveLength(5);
  });
});

describe('the account', () => {
  const path = '/v1/terminal/entitlement';
  const bare = { authorization: '' };

  // @covers TERM-ENTITLEMENT-GATED
  it('has the plan of its workspace where plans limit the terminal', async () => {
    const free = { plan: 'free', effective_plan: 'free', gating_enabled: true };
    expect((await service.call('GET', path, undefined, bare)).json).toEqual({ authenticated: false, ...free });
    const forged = { ...bare, cookie: 'service_session=forged' };
    expect((await service.call('GET', path, undefined, forged)).json).toEqual({ authenticated: false, ...free });
    await admin.provision(workspaceId, 'team');
    const team = { authenticated: true, plan: 'team', effective_plan: 'team', gating_enabled: true };
    expect((await bob.call('GET', path)).json).toEqual(team);
    await admin.provision(workspaceId, 'enterprise');
  });

  // @covers TERM-COOKIE TERM-CSRF
  it('opens to a session of this site and to nothing else', async () => {
    const withKey = await service.call('GET', '/v1/terminal/alerts');
    expect([withKey.status, withKey.json.error.code]).toEqual([401, 'unauthorized']);
    const foreign = { origin: 'https://evil.example' };
    for (const [method, to] of [
      ['POST', '/v1/terminal/alerts'],
      ['POST', '/v1/terminal/watchlist'],
      ['DELETE', '/v1/terminal/alerts?id=x'],
      ['DELETE', '/v1/terminal/watchlist?kind=tickers&ref_id=T0'],
    ] as const) {
      expect(refusal(await ada.call(method, to, method === 'POST' ? {} : undefined, foreign))).toEqual([403, 'csrf']);
    }
    const eve = await joining('none');
    const cookie = eve.cookie();
    await eve.call('DELETE', '/v1/session');
    const ended = await service.call('GET', '/v1/terminal/watchlist', undefined, { ...bare, cookie });
    expect([ended.status, ended.json.error.code]).toEqual([401, 'session_expired']);
  });

  // @covers TERM-GONE
  it('goes with the last membership of its person', async () => {
    const leaving = await joining('none');
    await leaving.call('POST', '/v1/terminal/watchlist', { kind: 'tickers', ref_id: 'GONE' });
    await leaving.call('POST', '/v1/terminal/alerts', condition);
    const count = async () => {
      const [row] = await service.app.database.read((tx) =>
        tx.query<{ rows: number }>('select count(*)::int as rows from terminal_accounts'),
      );
      return row?.rows;
    };
    const before = await count();
    const members = (await ada.call('GET', '/v1/members')).json.data;
    await ada.call('DELETE', `/v1/members/${members[members.length - 1].id}`);
    expect(await count()).toBe((before ?? 0) - 1);
  });
});
