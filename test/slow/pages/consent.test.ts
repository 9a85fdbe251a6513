import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signedIn } from '../../http/person.js';
import { laterWorld, type Service, startService, testWorld } from '../../http/service.js';
import { postForm } from '../../oauth/client.js';
import { asking } from '../../pages/asking.js';
import { type Reader, reader, recordedAt, signedInReader } from '../../pages/reader.js';

const ada = { email: 'ada@example.org', password: 'a password of the owner' };
const agent = 'agn_mfrggzdfmztwq2lknnwg23tpobyxe43u';

describe('the consent of a person', () => {
  let service: Service;
  let owner: Reader;
  let call: (method: string, path: string, body?: object) => ReturnType<Service['call']>;
  let ahead = 0;
  let namespaces: readonly string[];
  beforeAll(async () => {
    const world = laterWorld(testWorld, () => ahead);
    service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password }, world);
    const person = await signedIn(service, ada);
    call = (method, path, body) => person.call(method, path, body);
    await call('POST', '/v1/namespaces', { name: 'letters' });
    await call('POST', '/v1/agents', { agent_id: agent, name: 'Archivist' });
    namespaces = (await call('GET', '/v1/namespaces')).json.data.map(({ id }: { id: string }) => id);
    owner = await signedInReader(service, ada);
  });
  beforeEach(() => {
    ahead = 0;
  });
  afterAll(() => service.stop());

  const grantsOf = async (clientId: string) =>
    (await call('GET', '/v1/grants')).json.data.filter((one: { client_id: string }) => one.client_id === clientId);
  const memberOf = async (role: string) => {
    const email = `${role}-${crypto.randomUUID()}@example.org`;
    const { json } = await call('POST', '/v1/members', { email, role });
    return signedInReader(service, { email, password: json.password });
  };
  const everything = () => ({ do: 'allow', scope: ['memory.read', 'memory.write'], namespace: [namespaces[0] ?? ''] });

  // @covers PAGES-CONSENT
  it('says who asks and where the answer goes, and gives what the person chooses', async () => {
    const one = reader(service);
    const client = await asking(service, one, { client_name: 'Desk <b>', client_uri: 'https://desk.example' });
    const first = await one.get(client.consent);
    expect(first.headers.get('location')).toBe(`/sign-in?next=${encodeURIComponent(client.consent)}`);
    const back = await one.post('/sign-in', { ...ada, next: client.consent });
    expect(back.headers.get('location')).toBe(client.consent);
    const page = await one.get(client.consent);
    for (const part of [
      '<bdi>desk.example</bdi>',
      '<bdi class="host">127.0.0.1:33418</bdi>',
      'Its name, as it claims',
      '<q><bdi>Desk &lt;b&gt;</bdi></q>',
      '<bdi>My workspace</bdi>',
      `<option value="${agent}">Archivist`,
      'name="scope" value="memory.write" checked',
      `name="namespace" value="${namespaces[0]}" checked`,
    ])
      expect(page.text).toContain(part);
    expect(page.text.indexOf('127.0.0.1:33418')).toBeLessThan(page.text.indexOf('desk.example'));
    expect(page.text).not.toContain('<nav');
    expect(page.text).not.toContain(`value="${namespaces[1]}" checked`);
    const choice = { do: 'allow', scope: 'memory.read', namespace: namespaces.slice(1), agent };
    const answer = await one.send(client.consent, client.consent, choice);
    const code = (await client.back(one, answer)).get('code') ?? '';
    const { status, json } = await client.tokens(code);
    expect([status, json.scope]).toEqual([200, 'mcp:tools memory.read']);
    expect(await grantsOf(client.clientId)).toMatchObject([
      {
        client_name: 'Desk <b>',
        redirect_host: '127.0.0.1:33418',
        agent_id: agent,
        scopes: ['mcp:tools', 'memory.read'],
        namespace_ids: namespaces.slice(1),
        person: { email: ada.email },
      },
    ]);
  });

  // @covers PAGES-CONSENT
  it('warns of an answer that goes to another host than the site that the client names', async () => {
    const site = { client_uri: 'https://desk.example' };
    for (const [named, host, isWarned] of [
      [site, 'elsewhere.example', true],
      [site, 'desk.example', false],
      [{}, 'desk.example', false],
    ] as const) {
      const client = await asking(service, owner, { ...named, answer: `https://${host}/callback` });
      const { text } = await owner.get(client.consent);
      expect(text.includes(`The answer goes to ${host} and not to the site`)).toBe(isWarned);
    }
  });

  // @covers PAGES-CONSENT-ONCE
  it('makes one grant for one question, however often the form is sent', async () => {
    const client = await asking(service, owner);
    const form = { ...(await owner.get(client.consent)).hidden(client.consent), ...everything() };
    const twice = await Promise.all([owner.post(client.consent, form), owner.post(client.consent, form)]);
    expect(twice.map(({ status }) => status)).toEqual([200, 200]);
    const other = await owner.post(client.consent, { ...form, scope: 'memory.read' });
    expect([other.status, other.text.includes('You have answered this request already')]).toEqual([422, true]);
    expect((await grantsOf(client.clientId)).length).toBe(1);
    const code = (await client.back(owner, twice[1])).get('code') ?? '';
    expect((await client.tokens(code)).status).toBe(200);
    for (const late of [form, { ...form, do: 'deny' }]) {
      const reply = await owner.post(client.consent, late);
      expect([reply.status, reply.text.includes('Nothing is asked here')]).toEqual([404, true]);
    }
    expect((await grantsOf(client.clientId)).length).toBe(1);
  });

  // @covers PAGES-CONSENT
  it('answers that it was denied, without a grant', async () => {
    const client = await asking(service, owner);
    const answer = await owner.send(client.consent, client.consent, { do: 'deny' });
    expect((await client.back(owner, answer)).get('error')).toBe('access_denied');
    expect(await grantsOf(client.clientId)).toEqual([]);
  });

  // @covers PAGES-CONSENT-GONE
  it('is not asked for by an id that is unknown, of another browser, or too old', async () => {
    const client = await asking(service, owner);
    const other = await signedInReader(service, ada);
    for (const [by, path] of [
      [other, client.consent],
      [owner, '/consent?id=unknown'],
      [owner, '/consent?id=%00%ff%2F..'],
      [owner, '/consent'],
    ] as const) {
      const page = await by.get(path);
      expect([page.status, page.text.includes('connect again from there')]).toEqual([404, true]);
    }
    const form = { ...(await owner.get(client.consent)).hidden(client.consent), ...everything() };
    ahead = 601_000;
    expect((await owner.post(client.consent, form)).status).toBe(404);
    expect(await grantsOf(client.clientId)).toEqual([]);
  });

  // @covers PAGES-CONSENT-FORGED
  it('needs the token of its own question and session', async () => {
    const [client, other] = [await asking(service, owner), await asking(service, owner)];
    const { token: ofOther = '' } = (await owner.get(other.consent)).hidden(other.consent);
    const form = (await owner.get(other.consent)).hidden(other.consent);
    const { token: ofKeys = '' } = (await owner.get('/keys')).hidden('/keys');
    for (const token of [ofOther, ofKeys, '', 'x'])
      expect((await owner.post(client.consent, { ...form, ...everything(), token })).status).toBe(403);
    const evil = { origin: 'https://evil.example' };
    expect((await owner.post(other.consent, { ...form, ...everything() }, evil)).status).toBe(403);
    expect([...(await grantsOf(client.clientId)), ...(await grantsOf(other.clientId))]).toEqual([]);
  });

  // @covers PAGES-CONSENT-BOUNDS
  it('gives no scope that was not requested, and none beyond the role', async () => {
    const narrow = await asking(service, owner, { scope: 'mcp:tools memory.read' });
    expect((await owner.get(narrow.consent)).text).not.toContain('value="memory.write"');
    await owner.send(narrow.consent, narrow.consent, everything());
    expect((await grantsOf(narrow.clientId))[0].scopes).toEqual(['mcp:tools', 'memory.read']);
    const person = await memberOf('reader');
    const client = await asking(service, person);
    expect((await person.get(client.consent)).text).toContain('value="memory.write" disabled');
    const refused = await person.send(client.consent, client.consent, everything());
    expect([refused.status, refused.text.includes('Your role may read and not write')]).toEqual([403, true]);
    expect(refused.text).toContain(`value="${namespaces[0]}" checked`);
    const none = { do: 'allow', scope: 'memory.read', namespace: [] };
    const empty = await person.send(client.consent, client.consent, none);
    expect([empty.status, empty.text.includes('Choose 1 to 1000 namespaces')]).toEqual([400, true]);
    const foreign = { ...none, namespace: crypto.randomUUID() };
    expect((await person.send(client.consent, client.consent, foreign)).status).toBe(404);
    expect(await grantsOf(client.clientId)).toEqual([]);
    expect((await person.send(client.consent, client.consent, { ...everything(), scope: 'memory.read' })).status).toBe(
      200,
    );
    expect((await grantsOf(client.clientId)).length).toBe(1);
  });

  // @covers PAGES-CONSENT
  it('is about the workspace that the page has shown', async () => {
    const client = await asking(service, owner);
    const form = (await owner.get(client.consent)).hidden(client.consent);
    const elsewhere = { ...form, ...everything(), workspace_id: crypto.randomUUID() };
    const reply = await owner.post(client.consent, elsewhere);
    expect([reply.status, reply.text.includes('The workspace was changed in another tab')]).toEqual([400, true]);
    expect(await grantsOf(client.clientId)).toEqual([]);
  });

  // @covers PAGES-GRANTS
  it('is listed at /grants and revoked there: by the person, and by owners and admins', async () => {
    const [person, other] = [await memberOf('member'), await memberOf('member')];
    const client = await asking(service, person, { client_name: '<i>Desk</i>' });
    const allowed = await person.send(client.consent, client.consent, everything());
    const { json } = await client.tokens((await client.back(person, allowed)).get('code') ?? '');
    const refresh = (refresh_token: string) =>
      postForm(`${service.app.server.listeningOrigin}/oauth/token`, {
        grant_type: 'refresh_token',
        refresh_token,
        client_id: client.clientId,
      });
    const refreshed = await refresh(json.refresh_token);
    expect(refreshed.status).toBe(200);
    const [{ id }] = await grantsOf(client.clientId);
    const isIn = async (by: Reader) => (await by.get('/grants')).text.includes(id);
    expect([await isIn(person), await isIn(owner), await isIn(other)]).toEqual([true, true, false]);
    expect((await owner.get('/grants')).text).toContain('<q><bdi>&lt;i&gt;Desk&lt;/i&gt;</bdi></q>');
    const { token = '' } = (await other.get('/workspace')).hidden('/sign-out');
    expect((await other.post('/grants', { token, grant_id: id })).status).toBe(403);
    const revoke = { grant_id: id };
    const revoked = await person.send('/grants', '/grants', revoke);
    expect([revoked.status, revoked.headers.get('location')]).toEqual([303, recordedAt('/grants?revoked')]);
    expect((await refresh(refreshed.json.refresh_token)).status).toBe(400);
    expect(await grantsOf(client.clientId)).toEqual([]);
    const again = await owner.send('/grants', '/grants', revoke);
    expect([again.status, again.text.includes('role="alert"')]).toEqual([404, true]);
  });
});
