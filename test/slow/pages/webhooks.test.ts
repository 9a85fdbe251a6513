import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signedIn } from '../../http/person.js';
import { openReceiver, type Receiver, status } from '../../http/receiver.js';
import { type Service, startService } from '../../http/service.js';
import { type Page, type Reader, recordedAt, signedInReader, unescaped } from '../../pages/reader.js';

const ada = { email: 'ada@example.org', password: 'a password of the owner' };
const [robin, wren] = [`agn_${'r'.repeat(32)}`, `agn_${'w'.repeat(32)}`];

describe('the pages of webhooks, without scripts', () => {
  let service: Service;
  let receiver: Receiver;
  let person: Person;
  let owner: Reader;
  beforeAll(async () => {
    receiver = await openReceiver();
    const env = { OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password, ALLOW_PRIVATE_URLS: '1' };
    service = await startService(env);
    person = await signedIn(service, ada);
    owner = await signedInReader(service, ada);
  });
  afterAll(async () => {
    await service.stop();
    await receiver.close();
  });

  const secretIn = ({ text }: Page) => /<p class="secret"><code>([^<]+)<\/code>/.exec(text)?.[1] ?? null;
  const joined = async (email: string, role: string) => {
    const { json } = await person.call('POST', '/v1/members', { email, role });
    return signedInReader(service, { email, password: json.password });
  };
  const make = (fields: Record<string, string>, by = owner) =>
    by.send('/webhooks/new', '/webhooks/new', { agent: robin, webhook_url: `${receiver.origin}/in`, ...fields });
  const hooks = async () => (await person.call('GET', '/v1/workspace/webhooks')).json.data;

  // @covers PAGES-WEBHOOKS
  it('begin with an agent, which every webhook belongs to', async () => {
    const empty = await owner.get('/webhooks');
    expect([empty.status, empty.text.includes('There is no webhook yet.')]).toEqual([200, true]);
    expect((await owner.get('/webhooks/new')).text).toContain('href="/connect">Connect an agent');
    const member = await joined('first@example.org', 'member');
    const page = (await member.get('/webhooks/new')).text;
    expect([
      page.includes('An owner or an admin links one.'),
      page.includes('<form method="post" action="/webhooks'),
    ]).toEqual([true, false]);
    for (const [agent_id, name] of [
      [robin, 'Robin'],
      [wren, 'Wren'],
    ])
      await person.call('POST', '/v1/agents', { agent_id, name });
  });

  // @covers PAGES-WEBHOOKS PAGES-SECRET-ONCE
  it('make a webhook, show its secret once, show what was answered, and send again', async () => {
    const fields = {
      ...(await owner.get('/webhooks/new')).hidden('/webhooks/new'),
      agent: robin,
      webhook_url: `${receiver.origin}/in?token=hidden`,
      name: 'to the archive',
      contains: 'ferry late',
      source: 'harbour\r\npier\r\n',
    };
    const made = await owner.post('/webhooks/new', fields);
    const secret = secretIn(made) ?? '';
    expect([made.status, secret.startsWith('whsec_'), made.text.includes('<script')]).toEqual([200, true, false]);
    expect([made.headers.get('cache-control'), made.text.includes('Recorded')]).toEqual(['no-store', true]);
    const again = await owner.post('/webhooks/new', fields);
    expect([secretIn(again), again.text.includes('was sent before'), (await hooks()).length]).toEqual([null, true, 1]);
    const [hook] = await hooks();
    expect(hook).toMatchObject({ pattern: { contains: 'ferry late', source: ['harbour', 'pier'] } });
    const list = await owner.get('/webhooks');
    expect(list.text).toContain('with the words “<bdi dir="auto">ferry late</bdi>”');
    expect(list.text).not.toContain('token=hidden');

    receiver.answer(status(503));
    await person.call('POST', '/v1/memories', { content: 'The ferry is late.', source: 'pier' });
    const [delivered] = await receiver.until(1);
    const [, time, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(delivered?.headers['x-service-signature'])) ?? [];
    expect(createHmac('sha256', secret).update(`${time}.${delivered?.body}`).digest('hex')).toBe(signature);
    const [, to = ''] = /<a class="whole" href="(\/webhooks\/agn_[^"]+)"/.exec(list.text) ?? [];
    const path = unescaped(to).split('?')[0] ?? '';
    const shown = async (query = '') => (await owner.get(`${path}${query}`)).text;
    await expect.poll(shown).toMatch(/1 attempt, next .*?<code>503<\/code>/s);
    expect(await shown()).toMatch(/<span>failing<\/span>/);
    expect((await owner.get('/')).text).toMatch(/1 webhook<\/a>.*?answer 503/s);

    receiver.answer(status(204));
    const sent = await owner.send(unescaped(to), path);
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/\?sent=[0-9a-f-]{36}&from=%2Fwebhooks$/),
    ]);
    expect((await owner.get(sent.headers.get('location') ?? '')).text).toContain('The delivery is sent again.');
    await receiver.until(2);
    await expect.poll(shown).toMatch(/<span>delivered<\/span>.*?<code>204<\/code>/s);
    expect(await shown('?state=dead')).toContain('No delivery is in this state.');
    expect(await shown('?state=delivered')).toContain('aria-current="true">Delivered');
    expect((await owner.get('/')).text).not.toContain('1 webhook</a>');

    const question = await owner.get(`${path}/delete`);
    expect(question.text).toContain('Delete <bdi dir="auto">to the archive</bdi>?');
    const deleted = await owner.send(`${path}/delete`, `${path}/delete`);
    expect([deleted.status, deleted.headers.get('location')]).toEqual([303, recordedAt('/webhooks?deleted')]);
    expect([(await hooks()).length, (await owner.get(path)).status]).toEqual([0, 404]);
  });

  // @covers PAGES-WEBHOOKS PAGES-REFUSED
  it('say at the form what is wrong, and keep what was typed', async () => {
    const refused = async (fields: Record<string, string>) => {
      const page = await make(fields);
      const [, sentence = ''] = /role="alert"[^>]*>.*?<div>([^<]*)/s.exec(page.text) ?? [];
      return [page.status, sentence, page.text.includes(`value="${fields.contains ?? ''}"`)];
    };
    expect(await refused({ contains: '' })).toEqual([
      400,
      expect.stringContaining('Say which memories are reported'),
      true,
    ]);
    expect(await refused({ contains: '???' })).toEqual([400, 'The words must hold a word or an emoji.', true]);
    expect(await refused({ contains: 'tide', webhook_url: 'ftp://example.org' })).toEqual([
      400,
      'The address must be an absolute https address.',
      true,
    ]);
    const withPassword = receiver.origin.replace('://', '://ada:x@');
    expect(await refused({ contains: 'tide', webhook_url: withPassword })).toEqual([
      400,
      'The address has a user name or a password.',
      true,
    ]);
    expect(await refused({ contains: 'tide', metadata: '[1]' })).toEqual([
      400,
      'The metadata must be a JSON object, such as {&quot;project&quot;: &quot;harbour&quot;}.',
      true,
    ]);
    expect(await refused({ contains: 'tide', agent: `agn_${'z'.repeat(32)}` })).toEqual([
      404,
      expect.stringContaining('No agent of this workspace has that id.'),
      true,
    ]);
    expect(await hooks()).toEqual([]);
  });

  // @covers PAGES-WEBHOOKS
  it('take every field of a pattern, and say it in words', async () => {
    const namespace = (await person.call('GET', '/v1/namespaces')).json.data[0].id;
    const more = { user_id: 'u1', app_id: 'till', run_id: 'r1', metadata: '{"project": "harbour", "n": 2}' };
    expect((await make({ namespace, written_by: wren, source: 'pier', ...more })).status).toBe(200);
    const [hook] = await hooks();
    expect(hook.pattern).toEqual({
      namespace_id: namespace,
      agent_id: wren,
      user_id: 'u1',
      app_id: 'till',
      run_id: 'r1',
      source: 'pier',
      metadata: { project: 'harbour', n: 2 },
    });
    const text = (await owner.get(`/webhooks/${robin}/${hook.id}`)).text.replaceAll(/<\/?bdi[^>]*>/g, '');
    expect(unescaped(text)).toContain(
      'in default, from the source “pier”, written by the agent Wren, written for the person u1, written by the program till, written in the run r1, whose metadata n is 2, whose metadata project is "harbour"',
    );
  });

  // @covers PAGES-WEBHOOKS PAGES-READERS
  it('show members the webhooks of each agent, and readers no form', async () => {
    const member = await joined('w@example.org', 'member');
    expect((await make({ agent: wren, contains: 'tide', name: 'of a member' }, member)).status).toBe(200);
    const [hook] = await hooks();
    const page = await member.get('/webhooks');
    expect(page.text).toMatch(
      /<h2><bdi dir="auto">Wren<\/bdi><\/h2>.*of a member.*<h2><bdi dir="auto">Robin<\/bdi><\/h2>/s,
    );
    expect((await member.get('/memories')).text).toContain('href="/connect"');
    const reads = await joined('r@example.org', 'reader');
    const path = `/webhooks/${wren}/${hook.id}`;
    for (const one of ['/webhooks', '/webhooks/new', path, `${path}/delete`]) {
      const { status: answered, text } = await reads.get(one);
      expect([one, answered, text.includes('Your role reads and does not write')]).toEqual([one, 200, true]);
      expect([one, text.includes('action="/webhooks')]).toEqual([one, false]);
    }
    const { token = '' } = (await owner.get(`${path}/delete`)).hidden(`${path}/delete`);
    expect((await reads.post(`${path}/delete`, { token })).status).toBe(403);
    expect((await owner.get(`/webhooks/${robin}/${hook.id}`)).status).toBe(404);
    const deleted = await member.send(`${path}/delete`, `${path}/delete`);
    expect([deleted.status, (await hooks()).length]).toEqual([303, 1]);
  });
});
