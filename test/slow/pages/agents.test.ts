import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';
import { ada, joined, startOwned } from '../../pages/owner.js';
import { type Reader, recordedAt, rowWith, signedInReader, unescaped } from '../../pages/reader.js';

describe('the pages of agents, without scripts', () => {
  let service: Service;
  let person: Person;
  let owner: Reader;
  beforeAll(async () => {
    ({ service, person, owner } = await startOwned());
  });
  afterAll(() => service.stop());

  const agents = async () => (await person.call('GET', '/v1/agents')).json.data;
  const following = async (reader: Reader, page: { headers: Headers }) =>
    reader.get(page.headers.get('location') ?? '');

  // @covers PAGES-AGENTS
  it('lead from an empty list to an agent with a key, and end it after a question', async () => {
    const empty = await owner.get('/agents');
    expect([empty.status, empty.text.includes('No agent is linked yet.')]).toEqual([200, true]);
    const fields = { ...empty.hidden('/agents'), name: 'Archivist', handle: '@archivist' };
    const made = await owner.post('/agents', fields);
    const [agent] = await agents();
    const path = `/agents/${agent.id}`;
    expect([made.status, made.headers.get('location')]).toEqual([303, recordedAt(`${path}?linked`)]);
    expect(agent).toMatchObject({
      name: 'Archivist',
      handle: '@archivist',
      proved: false,
      keys: 0,
      last_used_at: null,
    });
    const next = await following(owner, made);
    for (const part of [
      'The agent is linked.',
      agent.agent_id,
      'not proved',
      'Recorded',
      'It has no key, so it cannot call',
    ])
      expect(next.text).toContain(part);
    // A form that is sent twice makes one agent.
    await owner.post('/agents', fields);
    expect(await agents()).toHaveLength(1);

    const keys = `/keys/agents/${agent.id}`;
    const namespace = (await person.call('GET', '/v1/namespaces')).json.data[0].id;
    const key = await owner.send(keys, keys, { do: 'make', name: 'desk', access: 'write', namespace });
    const [, secret = ''] = /<code>(agk_\w+)<\/code>/.exec(key.text) ?? [];
    const call = { method: 'POST', headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' } };
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const mcp = `${service.app.server.listeningOrigin}/mcp`;
    expect((await fetch(mcp, { ...call, body: ping })).status).toBe(200);
    await expect.poll(async () => (await agents())[0].last_used_at).not.toBeNull();
    const list = (await owner.get('/agents')).text;
    expect(list).toMatch(/Archivist<\/bdi><\/a> <small>@archivist<\/small>.*?<td[^>]*>1<\/td>.*?<time class="ago"/s);
    const [, to = ''] = /<a class="whole" href="(\/agents\/[^"]+)"/.exec(list) ?? [];
    const shown = await owner.get(unescaped(to));
    expect(shown.text).toMatch(/desk<\/bdi><\/a>.*?read and write in <bdi>default<\/bdi>.*?<time class="ago"/s);
    expect(shown.text).toContain('Back to the list');

    const question = await owner.get(`${path}/unlink`);
    expect(question.text).toContain('Its 1 key, its token and its webhooks end');
    const ended = await owner.send(`${path}/unlink`, `${path}/unlink`);
    expect([ended.status, ended.headers.get('location')]).toEqual([303, recordedAt('/agents?unlinked')]);
    expect((await following(owner, ended)).text).toContain('The agent was unlinked.');
    expect([await agents(), (await fetch(mcp, { ...call, body: ping })).status]).toEqual([[], 401]);
    expect((await owner.get(path)).status).toBe(404);
  });

  // @covers PAGES-AGENTS PAGES-REFUSED
  it('say what is wrong at the form, and are for owners and admins', async () => {
    await person.call('POST', '/v1/agents', { agent_id: `agn_${'a'.repeat(32)}`, name: 'Wren' });
    const refused = async (fields: Record<string, string>) => {
      const page = await owner.send('/agents', '/agents', { name: 'Finch', ...fields });
      return [page.status, page.text.includes('value="Finch"'), page.text.includes('role="alert"')];
    };
    expect(await refused({ agent_id: `agn_${'a'.repeat(32)}` })).toEqual([409, true, true]);
    expect(await refused({ agent_id: 'finch' })).toEqual([400, true, true]);
    expect(await refused({ handle: 'finch' })).toEqual([400, true, true]);
    expect((await owner.send('/agents', '/agents', { name: ' ' })).text).toContain('Give the agent a name');
    const member = await joined(service, person, 'm@example.org', 'member');
    const [{ id }] = await agents();
    for (const path of ['/agents', `/agents/${id}`, `/agents/${id}/unlink`])
      expect([path, (await member.get(path)).status]).toEqual([path, 403]);
    const header = (await member.get('/memories')).text;
    expect([header.includes('href="/agents"'), header.includes('href="/connect"')]).toEqual([false, true]);
  });

  // @covers PAGES-KEYS
  it('show beside each key when it was used last', async () => {
    const list = (await owner.get('/keys')).text;
    const [, first = ''] = /href="(\/keys\/[0-9a-f-]{36})"/.exec(list) ?? [];
    await service.call('GET', '/v1/namespaces');
    const [may, lastUsed] = [1, 3];
    const used = async () => rowWith('bootstrap', await owner.get('/keys'))[lastUsed];
    await expect.poll(used).toBe('just now');
    expect(rowWith('bootstrap', await owner.get('/keys'))[may]).toBe('do everything with memories in default');
    expect((await owner.get(first)).text).toMatch(/<dt>Last used<\/dt><dd><time/);
    await person.call('POST', '/v1/keys', { name: 'spare' });
    expect(rowWith('spare', await owner.get('/keys'))[lastUsed]).toBe('never');
  });
});

describe('the pages of agents where the memory API is switched off', () => {
  // @covers PAGES-AGENTS
  it('link agents, and lead to no page that is not there', async () => {
    const service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password, MEMORY_API: 'off' });
    const owner = await signedInReader(service, ada);
    const made = await owner.send('/agents', '/agents', { name: 'Archivist' });
    const pages = [await owner.get('/agents'), await owner.get(made.headers.get('location') ?? '')];
    for (const { status, text } of pages) {
      expect([status, /href="\/(connect|webhooks|memories)/.exec(text)]).toEqual([200, null]);
    }
    expect([(await owner.get('/webhooks')).status, (await owner.get('/webhooks/new')).status]).toEqual([404, 404]);
    await service.stop();
  });
});

describe('the page that links an agent with a proof, without scripts', () => {
  // @covers PAGES-AGENTS
  it('shows the texts to sign, and takes the signature of a pasted key once', async () => {
    const service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password });
    const person = await signedIn(service, ada);
    const owner = await signedInReader(service, ada);
    const path = '/agents/prove';
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const typed = { name: 'Triage', handle: '@triage-bot', vendor: 'Acme', do: 'ask' };
    const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const wrong of [
      { public_key: secret },
      { public_key: 'x' },
      { public_key, handle: 'triage' },
      { public_key, name: '' },
    ]) {
      const page = await owner.send(path, path, { ...typed, ...wrong });
      expect([page.status, page.text.includes('role="alert"'), page.text.includes('value="Acme"')]).toEqual([
        400,
        true,
        true,
      ]);
    }
    const asked = await owner.send(path, path, { ...typed, public_key });
    const step = asked.headers.get('location') ?? '';
    expect([asked.status, step]).toEqual([
      303,
      expect.stringMatching(/^\/agents\/prove\?key=z6Mk\w+&name=Triage&handle=%40triage-bot&vendor=Acme$/),
    ]);

    const look = async () => {
      const page = await owner.get(step);
      const [link = '', own = ''] = [...page.text.matchAll(/data-signs="([^"]+)"/g)].map(([, text = '']) => text);
      const [command = ''] = [...page.text.matchAll(/<pre[^>]*><code>(printf[^<]+)/g)].map(([, text = '']) =>
        unescaped(text),
      );
      expect(command).toContain(link.split(' ').slice(1).join(' '));
      const signature = (text: string) =>
        sign(null, Buffer.from(text.replaceAll(' ', '\0')), privateKey).toString('base64url');
      return { hidden: page.hidden(step), signature: signature(link), own_signature: signature(own), link };
    };
    const first = await look();
    const wrong = await owner.post(step, { ...first.hidden, do: 'link', signature: first.own_signature });
    expect([wrong.status, wrong.text.includes('sign it again')]).toEqual([400, true]);
    const second = await look();
    expect(second.link).not.toBe(first.link);
    const fields = { ...second.hidden, do: 'link', signature: second.signature, own_signature: second.own_signature };
    const made = await owner.post(step, fields);
    const [agent] = (await person.call('GET', '/v1/agents')).json.data;
    expect([made.status, made.headers.get('location')]).toEqual([303, recordedAt(`/agents/${agent.id}?linked`)]);
    expect(agent).toMatchObject({ name: 'Triage', handle: '@triage-bot', proved: true });
    const record = (await person.call('GET', `/v1/agent-id?id=${agent.agent_id}`)).json;
    expect(record).toMatchObject({ status: 'verified', vendor: 'Acme', agent_name: 'Triage' });
    expect((await owner.post(step, fields)).headers.get('location')).toEqual(recordedAt(`/agents/${agent.id}?linked`));
    expect((await owner.get(`/agents/${agent.id}`)).text).toMatch(/<span>proved<\/span>/);
    const third = await look();
    const twice = await owner.post(step, { ...third.hidden, do: 'link', signature: third.signature });
    expect([twice.status, twice.text.includes('agent_exists')]).toEqual([409, true]);
    expect((await owner.get('/agents/prove?key=x&name=a&handle=@ab')).text).toContain('name="public_key"');
    await service.stop();
  });
});
