import { describe, expect, it } from 'vitest';
import { ask } from '../../http/ask.js';
import { owner, usePeople } from '../../http/people.js';
import { browser, type Person } from '../../http/person.js';
import { stores } from '../../support/stores.js';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';
const minuteMs = 60_000;

/** When API keys and sessions were used last. The same on every store. */
describe.each(stores)('last use on %s', () => {
  const people = usePeople();
  const keyed = async (id: string) => {
    const { data } = (await people.as('owner').call('GET', '/v1/keys')).json;
    return data.find((one: { key_id: string }) => one.key_id === id);
  };
  const using = (key: string) => people.withKey(key, 'GET', '/v1/usage');
  /** It is written after the call that it is about. */
  async function until<T>(look: () => Promise<T>, isRight: (seen: T) => boolean): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      const seen = await look();
      if (isRight(seen) || tries === 100) return seen;
      await new Promise((next) => setTimeout(next, 20));
    }
  }
  const lastUse = (id: string, isRight: (at: string | null) => boolean) =>
    until(async () => (await keyed(id))?.last_used_at ?? null, isRight);

  it('of a key is null before its first call, and then that of its newest one, to a minute', async () => {
    const made = await people.newKey();
    expect(made.last_used_at).toBeNull();
    const { key_id, key } = made;
    expect((await keyed(key_id)).last_used_at).toBeNull();
    const before = new Date().toISOString();
    expect((await using(key)).status).toBe(200);
    const first = await lastUse(key_id, (at) => at !== null);
    expect(first !== null && first >= before).toBe(true);
    people.ahead(5 * minuteMs);
    await using(key);
    const second = await lastUse(key_id, (at) => at !== first);
    expect(Date.parse(second ?? '') - Date.parse(first ?? '')).toBeGreaterThanOrEqual(4 * minuteMs);
    people.ahead(0);
  });

  it('of a key is noted for refused calls of that key too, and not for a secret that is no key', async () => {
    const { key_id, key } = await people.newKey({ scopes: ['memory.read'] });
    expect((await people.withKey(`${key.slice(0, -1)}!`, 'GET', '/v1/usage')).status).toBe(401);
    expect((await keyed(key_id)).last_used_at).toBeNull();
    expect((await people.withKey(key, 'POST', '/v1/memories', { content: 'x' })).status).toBe(403);
    expect(await lastUse(key_id, (at) => at !== null)).not.toBeNull();
  });

  it('of a key that is revoked leaves no row', async () => {
    const { key_id, key } = await people.newKey();
    await using(key);
    await lastUse(key_id, (at) => at !== null);
    await people.as('owner').call('DELETE', `/v1/keys/${key_id}`);
    const rows = await people
      .service()
      .app.database.read((tx) => tx.query('select 1 from credential_uses where id = $1', [key_id]));
    expect(rows).toEqual([]);
  });

  const sessionsOf = async (person: Person) => (await person.call('GET', '/v1/sessions')).json.data;
  const signIn = async (headers: Record<string, string>) => {
    const person = browser(people.service());
    expect((await person.call('POST', '/v1/session', owner, headers)).status).toBe(200);
    return person;
  };

  it('of a session is shown with the family of its browser, and the rest of User-Agent is stored nowhere', async () => {
    const [mine, other] = [await signIn({ 'user-agent': firefox }), await signIn({ 'user-agent': 'curl/8.5.0' })];
    const [newest, before] = await sessionsOf(mine);
    expect([newest.browser, before.browser]).toEqual([null, 'Firefox on Linux']);
    expect([newest.current, before.current]).toEqual([false, true]);
    expect(newest.last_used_at).toBe(newest.created_at);
    people.ahead(5 * minuteMs);
    await other.call('GET', '/v1/session');
    const later = await until(
      () => sessionsOf(mine),
      ([first]) => first.last_used_at > newest.last_used_at,
    );
    expect(Date.parse(later[0].last_used_at) - Date.parse(newest.last_used_at)).toBeGreaterThanOrEqual(4 * minuteMs);
    people.ahead(0);
    const rows = await people.service().app.database.read((tx) => tx.query('select s::text as row from sessions s'));
    expect(JSON.stringify(rows)).not.toMatch(/Gecko|rv:133|X11/);
  });

  it('of sessions is seen by their own person only', async () => {
    const seen = await sessionsOf(people.as('member'));
    expect(seen).toHaveLength(1);
    const { status } = await ask(people.service().app.server.listeningOrigin, 'GET', '/v1/sessions', {
      headers: { authorization: 'Bearer ak_test00000000000000000000000000000' },
    });
    expect(status).toBe(401);
  });
});
