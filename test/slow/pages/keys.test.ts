import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKey, type Service } from '../../http/service.js';
import { joined, startOwned } from '../../pages/owner.js';
import { type Reader, recordedAt, rowWith, unescaped } from '../../pages/reader.js';

const agent = { agent_id: 'agn_mfrggzdfmztwq2lknnwg23tpobyxe43u', name: 'Archivist' };

describe('the pages of keys and approvals', () => {
  let service: Service;
  let owner: Reader;
  let member: Reader;
  let call: (method: string, path: string, body?: object) => ReturnType<Service['call']>;
  beforeAll(async () => {
    const owned = await startOwned();
    ({ service, owner } = owned);
    const { person } = owned;
    call = (method, path, body) => person.call(method, path, body);
    member = await joined(service, person, 'm@example.org', 'member');
  });
  afterAll(() => service.stop());

  const secretIn = (text: string) => /<p class="secret"><code>([^<]+)<\/code>/.exec(text)?.[1] ?? null;
  const reads = async (key: string, path = '/v1/namespaces') =>
    (await service.call('GET', path, undefined, { authorization: `Bearer ${key}` })).status;

  // @covers PAGES-KEYS PAGES-SECRET-ONCE
  it('make an API key, show it once, change its namespaces and revoke it', async () => {
    const letters = (await call('POST', '/v1/namespaces', { name: 'letters' })).json.id;
    const form = (await owner.get('/keys')).hidden('/keys');
    const fields = { ...form, do: 'make', name: 'archivist', access: 'read', namespace: [letters] };
    const [made, again] = await Promise.all([owner.post('/keys', fields), owner.post('/keys', fields)]);
    const secrets = [made, again].map(({ text }) => secretIn(text)).filter((one) => one !== null);
    expect([made.status, again.status, secrets.length]).toEqual([200, 200, 1]);
    const [secret = ''] = secrets;
    expect(secret).toMatch(/^ak_\w{43}$/);
    expect([made, again].map(({ text }) => text).join('')).toContain('This form was sent before');
    const list = await owner.get('/keys');
    expect(list.text).not.toContain(secret);
    expect(list.text.match(/>archivist<\/bdi>/g)?.length).toBe(1);
    expect(rowWith('archivist', list)[1]).toBe('read in letters');
    await call('POST', '/v1/keys', { name: 'auditor', scopes: ['receipts.read'] });
    await call('POST', '/v1/keys', { name: 'both', scopes: ['memory.read', 'receipts.read'] });
    const more = await owner.get('/keys');
    expect(rowWith('auditor', more)[1]).toBe('read all receipts');
    expect(rowWith('both', more)[1]).toBe('read in default, and read all receipts');
    const { json } = await call('GET', '/v1/keys');
    const key = json.data.find((one: { name: string }) => one.name === 'archivist');
    expect(key).toMatchObject({ scopes: ['memory.read'], namespace_ids: [letters] });
    const path = `/keys/${key.key_id}`;
    const bound = await owner.send(path, path, { do: 'bind' });
    expect([bound.status, bound.headers.get('location')]).toEqual([303, recordedAt(`${path}?bound`)]);
    expect(await reads(secret)).toBe(403);
    expect((await owner.get(`${path}?bound`)).text).toContain('The namespaces of the key were changed.');
    const revoked = await owner.send(path, path, { do: 'revoke' });
    expect([revoked.status, revoked.headers.get('location')]).toEqual([303, recordedAt('/keys?revoked')]);
    expect([await reads(secret), (await owner.get(path)).status]).toEqual([401, 404]);
  });

  // @covers PAGES-KEYS PAGES-SECRET-ONCE
  it('make a key of an agent, change its namespaces and revoke it', async () => {
    const { id } = (await call('POST', '/v1/agents', agent)).json;
    const path = `/keys/agents/${id}`;
    expect((await owner.get('/keys')).text).toContain(`href="${path}"><bdi dir="auto">Archivist</bdi></a>`);
    const made = await owner.send(path, path, { do: 'make', name: 'desk', access: 'write', namespace: await first() });
    expect(secretIn(made.text)).toMatch(/^agk_\w{43}$/);
    const { json } = await call('GET', `/v1/agents/${id}/keys`);
    expect(json.data).toMatchObject([{ name: 'desk', scopes: ['memory.read', 'memory.write'] }]);
    const one = `${path}/${json.data[0].key_id}`;
    expect(rowWith('desk', await owner.get(path))[3]).toBe('never');
    expect((await owner.send(one, one, { do: 'bind', namespace: [] })).headers.get('location')).toEqual(
      recordedAt(`${one}?bound`),
    );
    expect((await call('GET', `/v1/agents/${id}/keys`)).json.data[0].namespace_ids).toEqual([]);
    expect((await owner.send(one, one, { do: 'revoke' })).headers.get('location')).toEqual(
      recordedAt(`${path}?revoked`),
    );
    expect((await call('GET', `/v1/agents/${id}/keys`)).json.data).toEqual([]);
    for (const unknown of [crypto.randomUUID(), 'x'])
      expect((await owner.get(`/keys/agents/${unknown}`)).status).toBe(404);
  });

  const first = async () => (await call('GET', '/v1/namespaces')).json.data[0].id;

  // @covers PAGES-REFUSED
  it('say at the form what is wrong, and keep what was typed', async () => {
    const namespace = await first();
    const reply = await owner.send('/keys', '/keys', { do: 'make', name: 'x'.repeat(65), access: 'all', namespace });
    expect([reply.status, reply.text.includes('role="alert"')]).toEqual([400, true]);
    expect(reply.text).toContain(`value="${'x'.repeat(65)}"`);
    expect(reply.text).toContain('value="all" checked');
    expect(reply.text).toContain(`value="${namespace}" checked`);
    const refused = await member.get('/keys');
    expect([refused.status, refused.text.includes('needs an owner or admin who is signed in')]).toEqual([403, true]);
  });

  // @covers PAGES-NAMESPACES
  it('stay usable with many namespaces', async () => {
    for (let made = 0; made < 130; made += 1) await call('POST', '/v1/namespaces', { name: `project ${made}` });
    const page = await owner.get('/keys');
    expect(page.text.match(/name="namespace"/g)?.length).toBeLessThan(110);
    expect(page.text).toContain('more are not shown');
    const chosen = await first();
    const found = await owner.send('/keys', '/keys', { do: 'find', find: 'T 129', name: 'typed', namespace: chosen });
    const boxes = [...found.text.matchAll(/name="namespace" value="[^"]*"( checked)?>\s*<span><bdi>([^<]*)/g)];
    expect(boxes.map(([, checked, name]) => [name, checked !== undefined])).toEqual([
      ['default', true],
      ['project 129', false],
    ]);
    expect(found.text).toContain('value="typed"');
  });

  // @covers PAGES-APPROVALS
  it('show what waits for a decision, and decide it once', async () => {
    await call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [{ source: 'crawler' }] });
    const ask = async (content: string): Promise<string> =>
      (await service.call('POST', '/v1/memories', { content, source: 'crawler' })).json.error.details.approval_id;
    const [first, second] = [await ask('The ferry is late.'), await ask('The tram is late.')];
    const page = await owner.get('/approvals');
    for (const part of [
      'Write a memory of 18 bytes to the namespace default. Asked by the app bootstrap. Held by rule 1, for its source.',
      first,
      'bootstrap',
    ])
      expect(page.text).toContain(part);
    // The beginning of a held text is shown, so that it can be decided about.
    expect(page.text).toContain('The ferry is late.');
    const decide = (id: string, verb: string, by = owner) =>
      by.send('/approvals', '/approvals', { approval_id: id, do: verb });
    const approved = await decide(first, 'approve');
    expect([approved.status, approved.headers.get('location')]).toEqual([
      303,
      recordedAt(`/approvals?decided=${first}`),
    ]);
    const after = await owner.get(`/approvals?decided=${first}`);
    expect(unescaped(after.text)).toMatch(
      /Approved\. The receipt of the decision is <a class="id" href="\/receipts\/rcp_\w+"/,
    );
    const late = await decide(first, 'reject');
    expect([late.status, late.text.includes('This approval was decided already')]).toEqual([409, true]);
    expect((await decide(second, 'reject')).status).toBe(303);
    expect((await owner.get('/approvals')).text).toContain('Nothing waits for a decision.');
    const write = { content: 'The ferry is late.', source: 'crawler', approval_id: first };
    expect((await service.call('POST', '/v1/memories', write)).status).toBe(202);
    expect((await call('GET', `/v1/approvals/${second}`)).json.status).toBe('rejected');
  });

  // @covers PAGES-APPROVALS SELECT-SHOWN
  it('show what a delete by a filter would delete, until it is decided against', async () => {
    await service.call('POST', '/v1/memories', { content: 'Delete <b>me</b>, please.', source: 'old <desk>' });
    const asked = await service.call('POST', '/v1/memories/delete', { filters: { source: 'old <desk>' } });
    const id: string = asked.json.error.details.approval_id;
    expect((await owner.get('/approvals')).text).toContain(`href="/approvals/${id}?from=%2Fapprovals"`);
    const page = await owner.get(`/approvals/${id}`);
    for (const part of ['1 of 1 memories', 'Delete &lt;b&gt;me&lt;/b&gt;, please.', 'old &lt;desk&gt;']) {
      expect(page.text).toContain(part);
    }
    expect((await member.get(`/approvals/${id}`)).text).toContain('There is no approval with that id.');
    await owner.send('/approvals', '/approvals', { approval_id: id, do: 'reject' });
    const after = await owner.get(`/approvals/${id}`);
    expect(after.text).toContain('The list of memories was destroyed');
    expect(after.text).not.toContain('please');
  });

  // @covers PAGES-APPROVALS
  it('show a member their own requests only, without a way to decide', async () => {
    const id = (await service.call('POST', '/v1/memories', { content: 'z', source: 'crawler' })).json.error.details
      .approval_id;
    const page = await member.get('/approvals');
    expect([page.status, page.text.includes(id), page.text.includes('value="approve"')]).toEqual([200, false, false]);
    const { token = '' } = (await owner.get('/approvals')).hidden('/approvals');
    expect((await member.post('/approvals', { token, approval_id: id, do: 'approve' })).status).toBe(403);
    expect((await call('GET', `/v1/approvals/${id}`)).json.status).toBe('pending');
    expect(await reads(apiKey)).toBe(200);
  });
});
