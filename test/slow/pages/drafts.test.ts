import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withBroken } from '../../http/broken.js';
import { type Person, signedIn } from '../../http/person.js';
import { eagerWorld, laterWorld, type Service, startService } from '../../http/service.js';
import { fieldsOf, formsOf } from '../../pages/forms-of.js';
import { type Page, type Reader, reader, signedInReader } from '../../pages/reader.js';

const ada = { email: 'ada@example.org', password: 'a password of the owner' };
const text = 'The <b>ferry</b> & the "tide"\n\nare late.';
const add = '/memories/new';

describe('a text in a form', () => {
  let service: Service;
  let person: Person;
  let ahead = 0;
  beforeAll(async () => {
    const world = laterWorld(eagerWorld, () => ahead);
    service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password }, world);
    person = await signedIn(service, ada);
  });
  afterAll(() => service.stop());

  const memories = async () => (await person.call('GET', '/v1/receipts?kind=memory.write&limit=100')).json.data.length;
  /** A form that was opened with a session, which has ended then. */
  async function begun(who = ada): Promise<{ one: Reader; fields: Record<string, string> }> {
    const one = await signedInReader(service, who);
    const fields = fieldsOf(await one.get(add), add);
    await one.send('/keys', '/sign-out').catch(() => one.send('/memories', '/sign-out'));
    return { one, fields };
  }

  // @covers PAGES-SESSION-ENDED
  it('of 1 MiB comes back without a session: a sign-in in another tab, and the form can be sent', async () => {
    const content = 'ß<&"ü\n'.repeat(131_072);
    const { one, fields } = await begun();
    const before = await memories();
    const page = await one.post(add, { ...fields, content });
    expect([page.status, page.text.includes('Sign in in another tab')]).toEqual([401, true]);
    const again = fieldsOf(page, add);
    expect(again.content === content).toBe(true);
    expect((await one.post('/sign-in', ada)).status).toBe(303);
    const stale = await one.post(add, again);
    const filled = fieldsOf(stale, add);
    expect([stale.status, filled.content === content, await memories()]).toEqual([403, true, before]);
    expect((await one.post(add, filled)).status).toBe(303);
    expect(await memories()).toBe(before + 1);
  });

  // @covers PAGES-SESSION-ENDED
  it.each([
    [64 * 1024 - 1024, 'sealed in the sign-in'],
    [64 * 1024, 'in a form of its own'],
  ])('of %i bytes is %s', async (bytes, where) => {
    const { one, fields } = await begun();
    const page = await one.post(add, { ...fields, content: 'x'.repeat(bytes) });
    const isSealed = formsOf(page.text).some(({ controls }) => controls.some(({ name }) => name === 'draft'));
    expect([page.status, isSealed]).toEqual([401, where.startsWith('sealed')]);
    if (!isSealed) return;
    const back = await one.post('/sign-in', { ...fieldsOf(page, '/sign-in'), ...ada });
    expect([back.status, fieldsOf(back, add).content?.length]).toEqual([200, bytes]);
  });

  // @covers PAGES-SESSION-ENDED
  it('is not shown to another person, at another form, or after ten minutes', async () => {
    const { json } = await person.call('POST', '/v1/members', { email: 'ben@example.org', role: 'admin' });
    const ben = { email: 'ben@example.org', password: json.password };
    const sealed = async () => {
      const { one, fields } = await begun();
      return { one, signIn: fieldsOf(await one.post(add, { ...fields, content: text }), '/sign-in') };
    };
    const other = await sealed();
    const shown = await other.one.post('/sign-in', { ...other.signIn, ...ben });
    expect([shown.status, shown.text.includes('ferry'), fieldsOf(shown, add).content]).toEqual([200, false, '']);
    expect(shown.text).toContain('begun by another person');
    const moved = await sealed();
    const elsewhere = await moved.one.post('/sign-in', { ...moved.signIn, next: '/keys', ...ada });
    expect([elsewhere.status, elsewhere.text.includes('ferry')]).toEqual([200, false]);
    const late = await sealed();
    ahead = 601_000;
    const after = await late.one.post('/sign-in', { ...late.signIn, ...ada });
    ahead = 0;
    expect([after.status, after.text.includes('ferry'), after.text.includes('ten minutes')]).toEqual([
      200,
      false,
      true,
    ]);
  });

  // @covers PAGES-SESSION-ENDED
  it('is kept for anyone who has never signed in, and a password is kept for no one', async () => {
    const one = reader(service);
    const page = await one.post(add, { content: text, password: 'pass-1' });
    const signIn = fieldsOf(page, '/sign-in');
    const back = await one.post('/sign-in', { ...signIn, ...ada });
    expect([back.status, fieldsOf(back, add).content]).toEqual([200, text]);
    const wrong = await reader(service).post('/sign-in', { email: 'x@example.org', password: 'pass-2' });
    expect([wrong.status, wrong.text.includes('pass-2')]).toEqual([401, false]);
  });

  it('of another site is neither read nor shown', async () => {
    const reply = await reader(service).post(add, { content: text }, { origin: 'https://evil.example' });
    expect([reply.status, reply.text.includes('ferry')]).toEqual([403, false]);
  });

  // @covers PAGES-UNAVAILABLE
  it('comes back when it cannot be recorded, and sent again it is written once', async () => {
    const one = await signedInReader(service, ada);
    const opened = fieldsOf(await one.get(add), add);
    const fields: Record<string, string> = { ...opened, content: 'Written once, after a failure.' };
    const before = await memories();
    let refused: Page | undefined;
    await withBroken(service.app.database, 'entries', async () => {
      refused = await one.post(add, fields);
    });
    if (!refused) throw new Error('nothing was sent');
    const again = fieldsOf(refused, add);
    expect([refused.status, refused.headers.get('retry-after'), again.content]).toEqual([503, '1', fields.content]);
    expect([again.once, refused.text.includes('Idempotency-Key')]).toEqual([fields.once, false]);
    expect((await one.post(add, again)).status).toBe(303);
    expect((await one.post(add, again)).status).toBe(303);
    expect(await memories()).toBe(before + 1);
  });

  // @covers PAGES-UNAVAILABLE
  it('comes back when the service fails, on a page with the id of the request', async () => {
    const one = await signedInReader(service, ada);
    const fields = { ...fieldsOf(await one.get(add), add), content: text };
    const sql = (statement: string) => service.app.database.transaction((tx) => tx.query(statement));
    await sql('alter table sessions rename to sessions_away');
    const [shown, refused] = [await one.get('/memories'), await one.post(add, fields)];
    await sql('alter table sessions_away rename to sessions');
    for (const { status, headers, text } of [shown, refused]) {
      const id = headers.get('x-request-id') ?? '';
      expect([status, id.length, text.includes(id), text.includes('internal_error')]).toEqual([500, 36, true, true]);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    const again = fieldsOf(refused, add);
    expect(again).toEqual(fields);
    expect((await one.post(add, again)).status).toBe(303);
  });
});

describe('pages that open too often', () => {
  let service: Service;
  beforeAll(async () => {
    const env = {
      OWNER_EMAIL: ada.email,
      OWNER_PASSWORD: ada.password,
      RATE_LIMITS: 'on',
      BASE_URL: 'https://x.example',
    };
    service = await startService(env);
  });
  afterAll(() => service.stop());

  // @covers PAGES-TOO-MANY
  it('say how long to wait and open again by themselves; a form waits for the person, with its text', async () => {
    const one = reader(service);
    for (let sent = 0; sent < 300; sent += 1) await one.get('/sign-in');
    const shown = await one.get('/sign-in?next=/memories');
    const seconds = Number(shown.headers.get('retry-after'));
    expect([shown.status, seconds > 0]).toEqual([429, true]);
    expect(shown.text).toContain(`<meta http-equiv="refresh" content="${seconds};url=/sign-in?next=/memories">`);
    expect(shown.text).toMatch(/Try again in \d+ seconds?\./);
    const form = await one.post(add, { content: text, token: 't' });
    expect([form.status, fieldsOf(form, add)]).toEqual([429, { content: text, token: 't', by: '' }]);
    expect([form.text.includes('http-equiv="refresh"'), form.headers.has('retry-after')]).toEqual([false, true]);
  });

  // @covers PAGES-POLICY
  it('use https only, where that is the address of the service', async () => {
    for (const path of ['/verify', '/sign-in', '/v1/memories', '/no-such-page']) {
      const { headers } = await reader(service).get(path, { accept: 'text/html' });
      expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000']);
    }
  });
});
